/** How the helper process is started: without core dumps, without a network where the system allows it, and under a newer loader on request. */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

interface HelperSettings {
  /** Where `connectors add prism` installed the package. */
  readonly folder: string
  /** The dynamic loader of a newer glibc, with its libraries beside it; null if the system's own is new enough. */
  readonly loader: string | null
}

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** Whether the process has a network namespace of its own, in which there is nothing. */
  readonly isIsolated: boolean
}

/** Nothing of our own environment goes along: it holds the keys of the instance. */
export const helperEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin' } as const

const run = promisify(execFile)
const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** The heap of its JavaScript; the native library comes on top. */
const heapMegabytes = 192

export async function planLaunch({ folder, loader }: HelperSettings): Promise<Launch> {
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMegabytes}`,
    '--disable-warning=ExperimentalWarning',
    program,
    folder,
  ]
  const started = loader === null ? node : [loader, '--library-path', dirname(loader), ...node]
  const isIsolated = await mayIsolate()
  const isolated = isIsolated ? ['unshare', '--map-root-user', '--net', '--', ...started] : started
  if (process.platform === 'win32') return { command: process.execPath, args: node.slice(1), isIsolated: false }
  return { command: '/bin/sh', args: ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...isolated], isIsolated }
}

let isolation: Promise<boolean> | undefined

/** True if this system lets us start a process without a network. Asked once. */
export function mayIsolate(): Promise<boolean> {
  isolation ??= tryIsolation()
  return isolation
}

async function tryIsolation(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    await run('unshare', ['--map-root-user', '--net', '--', 'true'], { timeout: 5000, env: helperEnvironment })
    return true
  } catch {
    return false
  }
}
