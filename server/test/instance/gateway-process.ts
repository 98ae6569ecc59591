/** Our programs as processes of their own, loaded quickly: from the bundle that the test run has made, and from compiled code. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** `source` is a script from the top of the repository; the bundles are those of `tools/testing/program-bundles.ts`. */
function quickest(source: string): string {
  const bundles = process.env['GATEHOUSE_PROGRAM_BUNDLES']
  const bundle = bundles && join(bundles, source.replace(/\.ts$/, '.mjs'))
  return bundle !== undefined && existsSync(bundle) ? bundle : source
}

interface GatewayStart {
  /** The complete environment, apart from what every program needs. */
  readonly environment: Readonly<Record<string, string>>
  readonly nodeFlags?: readonly string[]
}

/** Starts `server/src/main.ts` with these arguments. */
export function spawnGateway(
  args: readonly string[],
  { environment, nodeFlags = [] }: GatewayStart,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [...nodeFlags, quickest('server/src/main.ts'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
