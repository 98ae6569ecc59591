/**
 * Runs a program of the sandbox as a child process. It keeps its port from start to start, gets only the environment that it needs, and ends with this
 * process: when the channel closes, it stops by itself.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface ChildProgram {
  readonly program: string
  readonly arguments?: readonly string[]
  /** The program's data folder; its port is stored there. */
  readonly folder: string
  readonly environment: (port: number) => Readonly<Record<string, string | undefined>>
}

interface RunningChild<Ready> {
  /** What it announced. */
  readonly ready: Ready
  stop(): Promise<void>
}

const readyWithinMs = 15_000
const stopWithinMs = 3_000

/** Null if it did not start. */
export async function startChild<Ready extends { readonly url: string }>(
  child: ChildProgram,
): Promise<RunningChild<Ready> | null> {
  await mkdir(child.folder, { recursive: true })
  const portFile = join(child.folder, 'port')
  const usual = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  const running = (usual > 0 && (await launch<Ready>(child, usual))) || (await launch<Ready>(child, 0))
  if (!running) return null
  await writeFile(portFile, new URL(running.ready.url).port)
  return { ready: running.ready, stop: () => stop(running.process) }
}

/** Null if it ended before it was ready, for example because the port is in use. */
function launch<Ready>(
  { program, arguments: args = [], environment }: ChildProgram,
  port: number,
): Promise<{ readonly process: ChildProcess; readonly ready: Ready } | null> {
  const child = fork(program, args, {
    // Only what it needs: our environment may contain the database's password and the keys.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...environment(port),
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), readyWithinMs)
    child.once('message', (message: Ready) => {
      clearTimeout(late)
      resolve({ process: child, ready: message })
    })
    child.once('exit', () => {
      clearTimeout(late)
      resolve(null)
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    child.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
