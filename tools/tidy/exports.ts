/**
 * Exports without a user. An export is a promise to other files: a name that only its own file uses stays inside it, so that the
 * compiler reports it once it is dead and a reader can change it without searching the tree.
 */
import { lineAt, type SourceFile } from './source-files.ts'

interface Export {
  readonly path: string
  readonly name: string
  readonly line: number
}

/** Names whose users are not files of this project that import them. */
// biome-ignore format: a table is read in columns.
const exportedWithoutImport: readonly (readonly [path: RegExp, because: string])[] = [
  [/^web\/sdk\/index\.ts$/,             'merchants import the SDK'],
  [/^client\/typescript\/src\/index\.ts$/, 'merchants import the client'],
  [/^tools\/install\.mjs$/,             'plain JavaScript: its test imports it by a computed address'],
  [/^tools\/mutants\/sample\/gate\.ts$/, 'the mutation run’s sample has code that no check looks at'],
  [/^tools\/connector-template\//,      'becomes the source of a new connector'],
]

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (?<name>[A-Za-z_$][\w$]*)/gm
const list = /^export (?:type )?\{(?<names>[^}]*)\}/gm

function exportsOf({ path, code }: SourceFile): readonly Export[] {
  const found = (name: string, index: number): Export => ({ path, name, line: lineAt(code, index) })
  return [
    ...[...code.matchAll(declaration)].map(({ groups, index }) => found(groups?.['name'] ?? '', index)),
    ...[...code.matchAll(list)].flatMap(({ groups, index }) =>
      (groups?.['names'] ?? '')
        .split(',')
        .map((entry) => /(?<name>[\w$]+)\s*$/.exec(entry)?.groups?.['name'] ?? '')
        .filter((name) => name !== '')
        .map((name) => found(name, index)),
    ),
  ]
}

/** As `path:line: sentence`. */
export function unusedExports(files: readonly SourceFile[]): readonly string[] {
  const used = usedNames(files)
  return files
    .filter(({ path }) => !exportedWithoutImport.some(([pattern]) => pattern.test(path)))
    .flatMap(exportsOf)
    .filter(({ path, name }) => !used(path, name))
    .map(({ path, name, line }) => `${path}:${line}: no other file imports ${name}: take "export" away, or remove it.`)
}

function usedNames(files: readonly SourceFile[]): (path: string, name: string) => boolean {
  const named = new Set<string>()
  // Of a file that is imported as a whole, the names count that occur in the importing file.
  const whole = new Map<string, SourceFile[]>()
  for (const file of files)
    for (const { target, names } of file.imports) {
      if (target === null) continue
      for (const name of names ?? []) named.add(`${target} ${name}`)
      if (names === null) whole.set(target, [...(whole.get(target) ?? []), file])
    }
  return (path, name) =>
    named.has(`${path} ${name}`) ||
    (whole.get(path) ?? []).some(({ code }) => new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`).test(code))
}
