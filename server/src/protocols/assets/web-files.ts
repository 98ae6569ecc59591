/**
 * The built browser files, in memory. Chapter 30 §7.9.
 *
 * Every file is compared with the hash in its manifest. A file that differs is not served, and the operator is alerted.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { z } from 'zod'
import type { Log } from '../../contracts/ports.ts'

export interface WebFile {
  readonly name: string
  /** The content under this path never changes. */
  readonly path: string
  readonly integrity: string
  readonly type: string
  readonly content: Buffer
  readBrotli(): Promise<Buffer>
  readGzip(): Promise<Buffer>
}

export interface WebFiles {
  /** By the name of its entry; null for an entry that was not built. */
  find(name: string): WebFile | null
  /** By the last part of its path. */
  file(file: string): WebFile | null
  all(): readonly WebFile[]
  /** Files whose content differs from the manifest. */
  readonly altered: readonly string[]
}

const builtFolder = fileURLToPath(new URL('../../../../web/.built', import.meta.url))

const manifestShape = z.record(z.string(), z.object({ file: z.string(), integrity: z.string() }))

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
}

export async function loadWebFiles(log: Log, folder: string = builtFolder): Promise<WebFiles> {
  const manifest = await readManifest(folder, log)
  const loaded = await Promise.all(
    Object.entries(manifest).map(async ([name, { file, integrity }]) => {
      const content = await readFile(join(folder, file))
      return { name, file, integrity, content, sound: integrityOf(content) === integrity }
    }),
  )
  const files = loaded.filter(({ sound }) => sound).map(webFileOf)
  const byName = new Map(files.map((file) => [file.name, file]))
  const byPath = new Map(files.map((file) => [file.path.replace('/web/', ''), file]))
  return {
    find: (name) => byName.get(name) ?? null,
    file: (file) => byPath.get(file) ?? null,
    all: () => files,
    altered: loaded.filter(({ sound }) => !sound).map(({ name }) => name),
  }
}

async function readManifest(folder: string, log: Log): Promise<z.output<typeof manifestShape>> {
  try {
    return manifestShape.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  } catch (error) {
    log.warn(
      { err: error },
      'The browser files are not built: web/.built has no manifest. Run "npm start" to build them.',
    )
    return {}
  }
}

export const integrityOf = (content: Buffer): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`

const brotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

interface LoadedFile {
  readonly name: string
  readonly file: string
  readonly integrity: string
  readonly content: Buffer
}

export const webFileOf = ({ name, file, integrity, content }: LoadedFile): WebFile => ({
  name,
  path: `/web/${file}`,
  integrity,
  type: types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  content,
  readBrotli: memoize(() => brotli(content, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } })),
  readGzip: memoize(() => compressGzip(content)),
})

/** Compresses on the first request: compressing all files takes half a second at every start, and most processes never serve them. */
function memoize(make: () => Promise<Buffer>): () => Promise<Buffer> {
  let result: Promise<Buffer> | null = null
  return () => {
    result ??= make()
    return result
  }
}
