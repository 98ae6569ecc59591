/**
 * Runs the sandbox (acquirer and issuer) as a separate program. It stores its own records below the data folder and keeps its port from
 * start to start. It ends with this process: when the channel closes, it stops by itself.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../process/startup-error.ts'

export interface SandboxProcess {
  readonly url: string
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../sandbox/all/main.ts', import.meta.url))
const readyWithinMs = 15_000
const stopWithinMs = 3_000

/** `authority` is the folder of a wallet authority that several sandboxes share, because creating one takes a while. */
export async function startSandbox(dataDir: string, authority?: string): Promise<SandboxProcess> {
  const folder = join(dataDir, 'sandbox')
  await mkdir(folder, { recursive: true })
  const portFile = join(folder, 'port')
  const usual = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  const child = (usual > 0 && (await launch(folder, usual, authority))) || (await launch(folder, 0, authority))
  if (!child) {
    throw new StartupError(
      'The sandbox did not start.',
      `See the log in ${folder}. To reset the sandbox, remove that folder.`,
    )
  }
  await writeFile(portFile, new URL(child.url).port)
  return { url: child.url, stop: () => stop(child.process) }
}

/** Null if it ended before it was ready, for example because the port is in use. */
function launch(
  folder: string,
  port: number,
  authority: string | undefined,
): Promise<{ process: ChildProcess; url: string } | null> {
  const child = fork(program, [], {
    // Only what it needs: our environment may contain the database's password and the keys.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SANDBOX_PORT: String(port),
      SANDBOX_DATA: folder,
      SANDBOX_AUTHORITY: authority,
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), readyWithinMs)
    child.once('message', (message: { readonly url: string }) => {
      clearTimeout(late)
      resolve({ process: child, url: message.url })
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
