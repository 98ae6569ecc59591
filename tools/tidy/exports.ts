/**
 * Exports without a user. An export is a promise to other files: a name that only its own file uses stays inside it, so that the
 * compiler reports it once it is dead and a reader can change it without searching the tree.
 */
import { isForTests, isTest, lineAt, type SourceFile } from './source-files.ts'

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

function declaredExports({ path, code }: SourceFile): readonly Export[] {
  return [...code.matchAll(declaration)].map(({ groups, index }) => ({
    path,
    name: groups?.['name'] ?? '',
    line: lineAt(code, index),
  }))
}

function exportsOf(file: SourceFile): readonly Export[] {
  const { path, code } = file
  const locate = (name: string, index: number): Export => ({ path, name, line: lineAt(code, index) })
  return [
    ...declaredExports(file),
    ...[...code.matchAll(list)].flatMap(({ groups, index }) =>
      (groups?.['names'] ?? '')
        .split(',')
        .map((entry) => /(?<name>[\w$]+)\s*$/.exec(entry)?.groups?.['name'] ?? '')
        .filter((name) => name !== '')
        .map((name) => locate(name, index)),
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

/**
 * A room is a part of server/src that is read as a whole: a folder of the first level, and of `connectors/` and `protocols/` each folder
 * below. Those are siblings that do the same for different acquirers or protocols, and call the same things by the same names.
 */
function roomOf(path: string): string | null {
  if (isTest(path) || isForTests(path)) return null
  const [, room] = /^server\/src\/((?:connectors|protocols)\/[^/]+|[^/]+)\//.exec(path) ?? []
  return room ?? null
}

/** Names that one room exports twice, with the reason. */
const doubledExports: ReadonlyMap<string, string> = new Map([
  ['protocols/payer-pages payerPages', 'the generated table has the name of its section in the language files'],
])

/** One meaning per name: within a room a name is exported once. See CONTRIBUTING.md, Style. */
export function doubledNames(files: readonly SourceFile[]): readonly string[] {
  const exported = files.flatMap((file) => {
    const room = roomOf(file.path)
    return room === null ? [] : declaredExports(file).map((one) => ({ ...one, key: `${room} ${one.name}` }))
  })
  const doubled = [...Map.groupBy(exported, ({ key }) => key)].filter(([, found]) => found.length > 1)
  const keys = new Set(doubled.map(([key]) => key))
  return [
    ...doubled
      .filter(([key]) => !doubledExports.has(key))
      .map(
        ([, found]) =>
          `${found.map(({ path, line }) => `${path}:${line}`).join(', ')}: two exports are named ${found[0]?.name}.`,
      ),
    ...[...doubledExports.keys()]
      .filter((key) => !keys.has(key))
      .map((key) => `"${key}" needs no exception in tools/tidy/exports.ts.`),
  ]
}

/** A file that imports two things of one name must rename one of them, and its reader has to know both. A test may compare the two. */
export function namesakesImported(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) => {
      const targets = Map.groupBy(
        imports.flatMap(({ target, names, line }) =>
          target === null ? [] : (names ?? []).map((name) => ({ name, target, line })),
        ),
        ({ name }) => name,
      )
      return [...targets]
        .filter(([, found]) => new Set(found.map(({ target }) => target)).size > 1)
        .map(
          ([name, found]) =>
            `${path}:${found[0]?.line}: imports two things named ${name}: rename one where it is exported.`,
        )
    })
}
