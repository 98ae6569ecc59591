/**
 * Builds each of our programs into one file without types and comments, which starts sooner and needs less memory than a thousand sources.
 * See decisions/build#built-programs. Packages stay outside, because campaigns observe the database driver and the HTTP client; of zod what
 * is used is inside, and of undici five files are loaded instead of all (decisions/build#built-programs).
 */

import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { dayMs } from '#domain/time.ts'
import { systemClock } from '#server/process/clock.ts'
import { builtProgram, type ProgramName, programs } from '#server/process/programs/program-file.ts'
import { stampOf } from './build-stamp.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Inside `node_modules`, so that packages are found. */
const cache = join(root, 'node_modules/.cache/programs')
/** A process may load a part of its program long after its start. */
const keptMs = 30 * dayMs
const stampFile = join(cache, 'stamp')
const releaseFolder = 'programs'

/** Builds only if something changed. Returns the folder with a file for each program. */
export async function buildPrograms(): Promise<string> {
  const stamp = stampOf(root, sources())
  if (readOr(stampFile, '') === stamp && names.every((name) => existsSync(join(cache, builtProgram(name)))))
    return cache
  const files = await bundle(join(cache, 'digest'))
  const digest = createHash('sha256')
  for (const { name, text } of files) digest.update(`${name} ${text}\n`)
  // By content, so that compiled code can be reused, and a process that runs keeps its files.
  const folder = digest.digest('hex').slice(0, 16)
  removeOld()
  if (!existsSync(join(cache, folder))) publish(files, folder)
  for (const name of names) {
    writeWhole(join(cache, builtProgram(name)), `import './${folder}/${builtProgram(name)}'\n`)
  }
  writeWhole(stampFile, stamp)
  return cache
}

/** Into the top of a release, which has the sources too: some files are read beside them. */
export async function writePrograms(top: string): Promise<void> {
  const folder = join(top, releaseFolder)
  const files = await bundle(join(root, releaseFolder))
  mkdirSync(folder, { recursive: true })
  for (const { name, text } of files) writeFileSync(join(folder, name), text)
}

const names = Object.keys(programs) as readonly ProgramName[]

interface BuiltFile {
  readonly name: string
  readonly text: string
}

/** For a folder in which all of them lie side by side. */
async function bundle(folder: string): Promise<readonly BuiltFile[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(programs).map(([out, source]) => ({ in: source, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'part-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    // V8 keeps a text with any other character in two bytes per character.
    charset: 'ascii',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
    plugins: [ownSources(folder), partsOfZod, partsOfUndici],
  })
  return outputFiles
    .map(({ path, text }) => ({ name: basename(path), text: inAscii(text) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Texts are in ASCII already; the comments that esbuild keeps are not. */
const inAscii = (text: string): string =>
  text.replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, (comment) => comment.replaceAll(/[^\x20-\x7e]/g, '?'))

/** Files beside a source are still found beside it, wherever the release lies, and of zod its bundler takes only what is used. */
const ownSources = (folder: string): Plugin => ({
  name: 'own sources',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', address)
        // The object `z` of the package has every function and language, and all of it would be kept.
        .replaceAll(/^import \{ (type \w+, )?z \} from 'zod'$/gm, "import { $1 } from 'zod'; import * as z from 'zod'")
      return { loader: 'ts', contents }
    })
  },
})

/** Most of zod is used by nobody, and the part that is used is loaded by every process. See decisions/build#built-programs. */
const partsOfZod: Plugin = {
  name: 'parts of zod',
  setup: (bundler) => {
    const path = fileURLToPath(import.meta.resolve('zod'))
    bundler.onResolve({ filter: /^zod$/ }, () => ({ path, sideEffects: false }))
  },
}

/** Its first file loads three times as much: `fetch`, caches, mocks, proxies. A part that is missing here ends the build with its name. */
const partsOfUndici: Plugin = {
  name: 'parts of undici',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }))
    bundler.onLoad({ filter: /^undici$/, namespace: 'parts' }, () => ({ contents: undici, resolveDir: root }))
  },
}

const undici = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
  import operations from 'undici/lib/api/index.js'
  Object.assign(Dispatcher.prototype, operations)
  export { default as Agent } from 'undici/lib/dispatcher/agent.js'
  export { default as Pool } from 'undici/lib/dispatcher/pool.js'
  export { default as buildConnector } from 'undici/lib/core/connect.js'
`

/** Another run may publish the same at the same time. */
function publish(files: readonly BuiltFile[], name: string): void {
  const folder = join(cache, name)
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const file of files) writeFileSync(join(unfinished, file.name), file.text)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}

function sources(): readonly string[] {
  const own = globSync('{cli,client/typescript,domain/src,sandbox,server/src}/**/*.{ts,json}', {
    cwd: root,
    exclude: ['**/*.test.ts', '**/fixtures/**', '**/node_modules/**', '**/.built*/**'],
  })
  return [...own, 'package.json', 'package-lock.json', 'tools/programs/build-programs.ts'].toSorted()
}

const readOr = (path: string, otherwise: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : otherwise)

function removeOld(): void {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const ageMs = systemClock().now().getTime() - statSync(path).mtimeMs
    if (ageMs > keptMs) rmSync(path, { recursive: true, force: true })
  }
}
