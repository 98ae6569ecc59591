/**
 * Writes what is made from the tables of the gateway and therefore not committed: OpenAPI documents, collections, types of the admin API,
 * types and vectors of the clients. Builds only if something changed.
 */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stampOf } from './programs/build-stamp.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'web/.built-interface/stamp')

/** Returns whether anything was built. */
export async function buildInterface(): Promise<boolean> {
  const stamp = stampOf(root, sources())
  const [known, ...paths] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split('\n') : []
  if (known === stamp && paths.every((path) => existsSync(join(root, path)))) return false
  // The tables of the code are loaded only if something has changed.
  const { interfaceFiles } = await import('./interface-files.ts')
  const files = interfaceFiles()
  for (const [path, content] of files) writeWhole(join(root, path), content)
  writeWhole(stampFile, [stamp, ...files.map(([path]) => path)].join('\n'))
  return true
}

/** A process that reads meanwhile finds the old file or the new one. */
function writeWhole(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, content)
  renameSync(`${file}.${process.pid}`, file)
}

const sources = (): readonly string[] =>
  globSync(
    [
      'cli/signing/*.ts',
      'domain/src/**/*.{ts,json}',
      'server/src/{connectors,contracts,panel,payments,process,protocols,wallets}/**/*.ts',
      'tools/{client,collections,docs,openapi,samples}/**/*.ts',
      'tools/interface-files.ts',
      'package.json',
      'package-lock.json',
    ],
    { cwd: root, exclude: ['**/*.test.ts'] },
  ).toSorted()

if (import.meta.main) await buildInterface()
