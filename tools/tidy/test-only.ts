/**
 * Files that only tests use are in a folder `testing/`, or are named `x.example.ts`: a reader of a production folder reads production code. And
 * production code imports none of them.
 */
import { isForTests, isTest, type SourceFile } from './source-files.ts'

/** Where production code is. */
const rooms = ['domain/src/', 'server/src/', 'cli/', 'sandbox/', 'web/']

/** Files that only tests and tools import, and that belong to production all the same, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['server/src/store/database/schema-dump.ts', '`npm run db:dump` writes the schema with it'],
])

const isForDevelopers = (path: string): boolean =>
  isTest(path) || isForTests(path) || /^(?:server\/test|cli\/test|campaigns|bench|tools)\//.test(path)

const isProduction = (path: string): boolean => rooms.some((room) => path.startsWith(room)) && !isForDevelopers(path)

export function misplacedTestFiles(files: readonly SourceFile[]): readonly string[] {
  const found = testOnlyFiles(files)
  return [
    ...[...found]
      .filter((path) => !exceptions.has(path))
      .map((path) => `${path} is used by tests alone: move it to testing/ beside it.`),
    ...[...exceptions.keys()]
      .filter((path) => files.some((file) => file.path === path) && !found.has(path))
      .map((path) => `${path} needs no exception in tools/tidy/test-only.ts.`),
    ...files.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => isProduction(path) && !found.has(path) && target !== null && isForTests(target))
        .map(({ target, line }) => `${path}:${line}: production code may not import ${target}.`),
    ),
  ]
}

/** Those that only tests import, and those that only these import. */
function testOnlyFiles(files: readonly SourceFile[]): ReadonlySet<string> {
  const importers = Map.groupBy(
    files.flatMap(({ path, imports }) => imports.map(({ target }) => ({ target, path }))),
    ({ target }) => target,
  )
  const found = new Set<string>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { path } of files) {
      const by = importers.get(path) ?? []
      if (isProduction(path) && by.length > 0 && by.every((one) => !isProduction(one.path) || found.has(one.path)))
        found.add(path)
    }
  }
  return found
}
