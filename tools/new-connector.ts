/**
 * `npm run new:connector NAME`: creates a working connector, to be adapted to an acquirer.
 *
 * It copies `tools/connector-template/`, which is ordinary checked code, renames it, and registers it in
 * `server/src/connectors/registry.ts`. `--root DIR` works on another copy of the project.
 */
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions, runProgram, UsageError } from './command-line.ts'

const project = fileURLToPath(new URL('..', import.meta.url))

/** Returns the reason if it was not done. */
async function create(root: string, names: readonly string[]): Promise<string | undefined> {
  const [name] = names
  if (name === undefined || names.length > 1) throw new UsageError('Give one name.')
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    return `"${name}" is not a valid connector name. Use lower-case letters, digits and single hyphens, beginning with a letter, at most 40 characters.`
  }
  if (reservedNames.has(identifierOf(name))) return `"${name}" is a reserved word. Choose another name.`

  const folder = join(root, 'server/src/connectors', name)
  const registry = join(root, 'server/src/connectors/registry.ts')
  if (await exists(folder)) return `server/src/connectors/${name} already exists.`

  const listed = withConnector(await readFile(registry, 'utf8'), name)
  if (listed === undefined) return 'The list in server/src/connectors/registry.ts was not found; nothing was written.'

  await mkdir(folder)
  try {
    await writeSkeleton(folder, name)
    await writeFile(registry, listed)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  process.stdout.write(nextSteps(name))
  return undefined
}

async function writeSkeleton(folder: string, name: string): Promise<void> {
  const template = fileURLToPath(new URL('./connector-template', import.meta.url))
  await cp(join(template, 'fixtures'), join(folder, 'fixtures'), { recursive: true })
  for (const file of (await readdir(template)).filter((entry) => entry.endsWith('.ts'))) {
    await writeFile(join(folder, file), renameTemplate(await readFile(join(template, file), 'utf8'), name))
  }
}

/** The import path changes; the name has three spellings in the template, which occur nowhere else. */
function renameTemplate(code: string, name: string): string {
  return code
    .replaceAll('#server/connectors/', '../')
    .replaceAll('#server/contracts/', '../../contracts/')
    .replaceAll("'template'", `'${name}'`)
    .replaceAll('const template ', `const ${identifierOf(name)} `)
    .replaceAll('TITLE', titleOf(name))
}

/** The registry with the import in alphabetical order and the entry at the end of its list; undefined if its format is unknown. */
function withConnector(registry: string, name: string): string | undefined {
  const list = /(export const connectors: readonly RegisteredConnector\[\] = \[)([^\]]*)(\])/
  const imports = registry.match(/^import \{ \w+ \} from '\.\/[a-z0-9-]+\/index\.ts'$/gm)
  const [, , listed] = registry.match(list) ?? []
  const lastImport = imports?.at(-1)
  if (listed === undefined || imports === null || lastImport === undefined) return undefined

  const line = `import { ${identifierOf(name)} } from './${name}/index.ts'`
  const identifiers = [...listed.split(',').map((identifier) => identifier.trim()), identifierOf(name)].filter(Boolean)
  const following = imports.find((existing) => existing.slice(existing.indexOf("'")) > line.slice(line.indexOf("'")))
  const imported = following
    ? registry.replace(following, `${line}\n${following}`)
    : registry.replace(lastImport, `${lastImport}\n${line}`)
  return imported.replace(list, (_whole, start: string, _list, end: string) => listOf(start, identifiers, end))
}

/** As the formatter writes it. */
function listOf(start: string, identifiers: readonly string[], end: string): string {
  const line = `${start}${identifiers.join(', ')}${end}`
  if (line.length <= lineWidth) return line
  return `${start}\n${identifiers.map((identifier) => `  ${identifier},\n`).join('')}${end}`
}

const lineWidth = 120

function identifierOf(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase())
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

// Words that cannot name a constant, and those that registry.ts uses itself.
const reservedNames: ReadonlySet<string> = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
   function if import in instanceof new null return super switch this throw true try typeof var void while with yield let
   static implements interface package private protected public arguments eval undefined
   connectors followUps connectorById capabilitiesOf offers connector template`.split(/\s+/),
)

function nextSteps(name: string): string {
  return `Written: server/src/connectors/${name}/, and its name in server/src/connectors/registry.ts.

Next:
  1. index.ts         title, hosts, what it supports, recovery; delete the operations that the acquirer does not offer
  2. credentials.ts   what the operator enters, by the acquirer's names, and how requests are signed
  3. request.ts       map our requests to theirs; a body is JSON, a form or text
  4. answer.ts        map their answers to our outcomes; an answer that is not explicit stays unknown
  5. notification.ts  verify what the acquirer reports; delete it if the acquirer sends no notifications
  6. test-cards.ts    the acquirer's test cards, for gatehouse connector try
  7. fixtures/        one file per exchange, from the acquirer's documentation or its sandbox
  8. npm test -- connectors/contract
`
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

const usage = `Usage: npm run new:connector NAME, for example: npm run new:connector demo-bank

Creates a working connector from a template, to be adapted to an acquirer.`

process.exitCode = await runProgram(usage, async () => {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: { root: { type: 'string', default: project } },
  })
  const refusal = await create(values.root, positionals)
  if (refusal === undefined) return 0
  process.stderr.write(`${refusal}\n`)
  return 1
})
