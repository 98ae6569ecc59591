/**
 * The programs that campaigns start, each in one file: loading one takes half the time of loading a thousand modules, and a test run starts
 * hundreds. Packages stay outside, because campaigns observe the database driver and the HTTP client.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { systemClock } from '#server/process/clock.ts'

const programs = ['server/src/main.ts', 'sandbox/all/main.ts', 'sandbox/acquirers/main.ts']
const keptMs = 24 * 60 * 60_000

/** Returns the folder of the bundles, where each has the path of its source, ending in `.mjs`. */
export async function bundlePrograms(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: root,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    keepNames: true,
    write: false,
    plugins: [sourceAddresses],
  })
  const digest = createHash('sha256')
  for (const { path, hash } of outputFiles) digest.update(`${path} ${hash}\n`)
  // Inside `node_modules`, so that packages are found. By content, so that compiled code can be reused.
  const folder = join(root, 'node_modules/.cache/programs', digest.digest('hex').slice(0, 16))
  removeOld(dirname(folder))
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  for (const { path, contents } of outputFiles) {
    const target = join(unfinished, relative(root, path))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, contents)
  }
  publish(unfinished, folder)
  return folder
}

/** Files beside a source are still found beside it. */
const sourceAddresses: Plugin = {
  name: 'source addresses',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }))
  },
}

/** Another run may have published the same at the same time. */
function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

function removeOld(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const isOld = (path: string): boolean => systemClock().now().getTime() - statSync(path).mtimeMs > keptMs
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (isOld(path)) rmSync(path, { recursive: true, force: true })
  }
}
