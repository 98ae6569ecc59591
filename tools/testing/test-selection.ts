interface Selection {
  readonly files: readonly string[]
  /** Regular expressions that a test's title must match; none means every test. */
  readonly titles: readonly string[]
}

/**
 * The meaning of the words after `npm test --`. A word that occurs in the path of a test file selects those files; any other word is
 * searched in the titles of tests.
 */
export function selectTests(all: readonly string[], words: readonly string[]): Selection {
  const inPaths = words.filter((word) => all.some((file) => file.includes(word)))
  return {
    files: inPaths.length === 0 ? all : all.filter((file) => inPaths.some((word) => file.includes(word))),
    titles: words.filter((word) => !inPaths.includes(word)),
  }
}
