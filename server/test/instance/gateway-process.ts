/** Our programs as processes of their own, loaded quickly: built by the test run, and from compiled code. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { builtProgram, programs } from '#server/process/programs/program-file.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The folder is that of `tools/programs/build-programs.ts`. */
function gatewayFile(): string {
  const built = process.env['GATEHOUSE_BUILT_PROGRAMS']
  return built === undefined ? programs.gateway : join(built, builtProgram('gateway'))
}

interface GatewayStart {
  /** The complete environment, apart from what every program needs. */
  readonly environment: Readonly<Record<string, string>>
  readonly nodeFlags?: readonly string[]
}

/** Starts the gateway with these arguments. */
export function spawnGateway(
  args: readonly string[],
  { environment, nodeFlags = [] }: GatewayStart,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [...nodeFlags, gatewayFile(), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
