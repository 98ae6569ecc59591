/** How many files a folder may hold, so that a reader sees at a glance what is in it. */
import { globSync } from 'node:fs'
import { posix } from 'node:path'
import { root } from './source-files.ts'

export const mostFiles = 25

/** Folders of things that are all alike, which are not read from first to last but looked up by name. */
// biome-ignore format: a table is read in columns.
const alike: Readonly<Record<string, string>> = {
  // folder                                        what its files are
  'docs/decisions':                               'one page per subject',
  'server/src/connectors/adyen/fixtures':         'one recorded exchange per file',
  'server/src/connectors/checkout/fixtures':      'one recorded exchange per file',
  'server/src/connectors/cybersource/fixtures':   'one recorded exchange per file',
  'server/src/connectors/paypal/fixtures':        'one recorded exchange per file',
  'server/src/connectors/sandbox/fixtures':       'one recorded exchange per file',
  'server/src/connectors/stripe/fixtures':        'one recorded exchange per file',
  'server/src/store/migrations':                  'one file per change of the schema, by number',
}

/** Every file of the project that is written by hand. */
export function projectFiles(): readonly string[] {
  return globSync('{bench,campaigns,cli,client,docs,domain,examples,sandbox,server,tools,web}/**/*.*', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/.*/**'],
  }).toSorted()
}

/** A test beside its source is not counted: both are one thing. */
export function crowdedFolders(paths: readonly string[]): readonly string[] {
  const known = new Set(paths)
  const counted = Map.groupBy(
    paths.filter((path) => !hasSource(path, known)),
    (path) => posix.dirname(path),
  )
  return [...counted]
    .filter(([folder, files]) => files.length > mostFiles && !Object.hasOwn(alike, folder))
    .map(([folder, files]) => `${folder} has ${files.length} files: put those that belong together into a folder.`)
}

/** Exceptions that are not needed, or no longer. */
export function idleExceptions(paths: readonly string[]): readonly string[] {
  const counts = Map.groupBy(paths, (path) => posix.dirname(path))
  return Object.keys(alike)
    .filter((folder) => (counts.get(folder)?.length ?? 0) <= mostFiles)
    .map((folder) => `${folder} has at most ${mostFiles} files: take it off the list of exceptions.`)
}

function hasSource(path: string, known: ReadonlySet<string>): boolean {
  const [, stem] = /^(.*?)(?:\.(?:sim|fuzz|full))?\.test\.tsx?$/.exec(path) ?? []
  return stem !== undefined && ['.ts', '.tsx', '.mjs'].some((ending) => known.has(stem + ending))
}
