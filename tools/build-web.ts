/**
 * Builds what browsers load, from `web/` into `web/.built/`: one file per entry, named by its content, and a manifest with the integrity of
 * each, which the server uses in its pages. Builds only if something changed.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type OutputFile } from 'esbuild'
import { buildInterface } from './build-interface.ts'
import { stampOf } from './programs/build-stamp.ts'
import { buildSite } from './site/build-site.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'web/.built')

interface Entry {
  /** The name by which the server asks for it. */
  readonly name: string
  readonly source: string
  readonly options: BuildOptions
}

const page: BuildOptions = { format: 'esm', target: ['es2022', 'safari16.4', 'firefox115', 'chrome111'] }
const chunkPrefix = 'admin-'
/** The panel's pages are loaded when they are opened, each from a file with its hash in the name. */
const panel: BuildOptions = {
  ...page,
  splitting: true,
  outdir: 'web/.built',
  chunkNames: `${chunkPrefix}[name]-[hash]`,
}
/** Merchants' pages load these as plain scripts, in their payers' browsers. */
const script = (globalName: string): BuildOptions => ({
  format: 'iife',
  target: ['es2020', 'safari14.1'],
  globalName,
  footer: { js: `Object.assign(globalThis, ${globalName});` },
})

/** Entries whose source does not exist are skipped. */
// biome-ignore format: a table is read in columns.
const entries: readonly Entry[] = [
  { name: 'checkout.js',      source: 'web/checkout/main.tsx',        options: page },
  { name: 'checkout.css',     source: 'web/checkout/style.css',       options: {} },
  { name: 'field.js',         source: 'web/fields/frame.ts',          options: page },
  { name: 'field.css',        source: 'web/fields/style.css',         options: {} },
  { name: 'admin.js',         source: 'web/admin/main.tsx',           options: panel },
  { name: 'admin.css',        source: 'web/admin/style/style.css',    options: {} },
  { name: 'docs.js',          source: 'web/docs/main.ts',             options: page },
  { name: 'docs.css',         source: 'web/docs/style.css',           options: {} },
  { name: 'hosted-fields.js', source: 'web/sdk/hosted-fields.ts',     options: script('gatehouseHostedFields') },
  { name: 'pay-session.js',   source: 'web/sdk/pay-session.ts',       options: script('gatehousePaySession') },
]

const languages = 'domain/src/place/languages/*.json'

interface Built {
  /** Within `web/.built`. */
  readonly file: string
  /** For the attribute `integrity`. */
  readonly integrity: string
  readonly bytes: number
}

type WebManifest = Readonly<Record<string, Built>>

/** Returns whether anything was built. */
export async function buildWeb(): Promise<boolean> {
  const stamp = stampOf(root, sources())
  const stampFile = join(out, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false

  // Built beside the old folder and then moved: a server that starts meanwhile finds one or the other.
  const next = `${out}.${process.pid}`
  await rm(next, { recursive: true, force: true })
  await writeWebFiles(root, next)
  await writeFile(join(next, 'stamp'), stamp)
  await rm(out, { recursive: true, force: true })
  await rename(next, out)
  return true
}

/** From the project in `top`. The same sources and packages make the same bytes in every folder, so that anyone can verify a release. */
export async function writeWebFiles(top: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const built = await Promise.all([
    ...entries
      .filter(({ source }) => existsSync(join(top, source)))
      .map((entry) => bundleEntry(entry, { top, folder })),
    ...globSync(languages, { cwd: top })
      .toSorted()
      .map((path) => copyLanguage(path, { top, folder })),
  ])
  const manifest: WebManifest = Object.fromEntries(built.flat())
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

interface Places {
  readonly top: string
  readonly folder: string
}

type ManifestEntry = readonly [string, Built]

async function bundleEntry(
  { name, source, options }: Entry,
  { top, folder }: Places,
): Promise<readonly ManifestEntry[]> {
  const { outputFiles = [] } = await build({
    // Names of chunks depend on paths, and these are relative to it.
    absWorkingDir: top,
    // Otherwise a linked folder of packages would have a path from elsewhere.
    preserveSymlinks: true,
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    ...options,
  })
  const isChunk = ({ path }: OutputFile): boolean => basename(path).startsWith(chunkPrefix)
  const output = outputFiles.find((one) => !isChunk(one))
  if (!output) throw new Error(`${source} built nothing.`)
  return Promise.all([
    writeHashed(name, Buffer.from(output.contents), folder),
    // Other files refer to a chunk by its built name, so it is kept.
    ...outputFiles
      .filter(isChunk)
      .map(({ path, contents }) => storeFile(basename(path), Buffer.from(contents), folder)),
  ])
}

/** A page loads the texts of one language only. */
async function copyLanguage(path: string, { top, folder }: Places): Promise<readonly ManifestEntry[]> {
  const name = `language.${basename(path)}`
  const { page: texts } = JSON.parse(readFileSync(join(top, path), 'utf8'))
  return [await writeHashed(name, Buffer.from(JSON.stringify(texts)), folder)]
}

async function writeHashed(name: string, content: Buffer, folder: string): Promise<ManifestEntry> {
  const dot = name.lastIndexOf('.')
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const file = `${name.slice(0, dot)}.${hash}${name.slice(dot)}`
  const [, built] = await storeFile(file, content, folder)
  return [name, built]
}

async function storeFile(file: string, content: Buffer, folder: string): Promise<ManifestEntry> {
  await writeFile(join(folder, file), content)
  const base64 = createHash('sha256').update(content).digest('base64')
  return [file, { file, integrity: `sha256-${base64}`, bytes: content.length }]
}

function sources(): readonly string[] {
  const own = globSync('web/**/*.{ts,tsx,css,json,svg}', { cwd: root, exclude: ['web/.built*/**', '**/*.test.ts'] })
  const shared = globSync('domain/src/**/*.{ts,json}', { cwd: root, exclude: ['**/*.test.ts'] })
  return [...own, ...shared, 'package-lock.json', 'tools/build-web.ts'].toSorted()
}

if (import.meta.main) {
  await buildWeb()
  await buildSite()
  await buildInterface()
}
