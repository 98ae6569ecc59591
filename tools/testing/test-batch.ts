/** Runs test files in one process, and collects its output until it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Outcome, outcomeOfHosted, outcomeOfOne } from './test-outcome.ts'
import type { Batch } from './test-plan.ts'

interface BatchOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: readonly string[]
  /** For a whole batch. One that hangs should fail while the developer still waits for it. */
  readonly withinMs: number
  /** False to run a single file without `test-host.ts`, whose tests around files match no pattern for titles. */
  readonly isHosted?: boolean
  /** Gets all output at once. */
  readonly echo?: (text: string) => void
  /** Ends it early. */
  readonly signal?: AbortSignal
}

const host = fileURLToPath(new URL('./test-host.ts', import.meta.url))
const lastWordsMs = 1_000
const killAfterMs = 15_000

export async function runBatch({ files }: Batch, options: BatchOptions): Promise<Outcome> {
  const { cwd, env, flags, withinMs, echo, signal, isHosted = true } = options
  const program = isHosted ? [host, ...files] : files
  const begun = performance.now()
  // A test that fails often leaves a server or a connection open, which would keep the process alive until `withinMs`.
  const child = spawn(process.execPath, ['--test-reporter=spec', '--test-force-exit', ...flags, ...program], {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      said.push(text)
      echo?.(text)
    })
  }
  const late = setTimeout(() => {
    said.push(`\nThe tests did not end within ${withinMs / 1000} s.\n`)
    end(child)
  }, withinMs)
  const stop = (): void => end(child)
  signal?.addEventListener('abort', stop)
  const status = await statusOf(child)
  clearTimeout(late)
  signal?.removeEventListener('abort', stop)
  const ended = { ok: status === 0, said: said.join(''), seconds: (performance.now() - begun) / 1000 }
  return isHosted ? outcomeOfHosted(files, ended) : outcomeOfOne(files, ended)
}

/** Its child processes get time to end with it. */
function end(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref()
}

/** A process that it left behind may keep its output open. */
async function statusOf(child: ChildProcess): Promise<number | null> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
  await Promise.race([closed, sleep(lastWordsMs)])
  return status
}
