/** Which tests a run has. */
export interface Selection {
  readonly files: readonly string[]
  /** Regular expressions that a test's title must match; none means every test. */
  readonly titles: readonly string[]
}

const grep = '--grep='

/**
 * Tests that start many programs and whose guarantee has smaller tests: campaigns in their shortest form. They run with `npm run test:full`
 * and when they are named.
 */
const isLong = (file: string): boolean => file.endsWith('.full.test.ts')

/** The arguments after `npm test --`: a word chooses the test files whose path contains it, `--grep=TEXT` the tests whose title matches. */
export function selectTests(all: readonly string[], args: readonly string[]): Selection {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const unknown = words.filter((word) => !all.some((file) => file.includes(word)))
  if (unknown.length > 0) throw new NoSuchTestFile(unknown)
  const usual = args.includes('--full') ? all : all.filter((file) => !isLong(file))
  return {
    files: words.length === 0 ? usual : all.filter((file) => words.some((word) => file.includes(word))),
    titles: args.filter(isTitleFilter).map((arg) => arg.slice(grep.length)),
  }
}

export const isTitleFilter = (arg: string): boolean => arg.startsWith(grep)

/** A run in which no title matched would otherwise look like one that passed. */
export const matchedNothing = (titles: readonly string[], testCount: number): boolean =>
  titles.length > 0 && testCount === 0

export class NoSuchTestFile extends Error {
  constructor(words: readonly string[]) {
    super(`no such test file: ${words.join(', ')}; use --grep=TEXT to select by title`)
  }
}
