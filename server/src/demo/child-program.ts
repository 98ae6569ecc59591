/**
 * Runs a program of the sandbox as a child process. It keeps its port from start to start, gets only the environment that it needs, and ends with this
 * process: when the channel closes, it stops by itself. If it fails, for example on a full disk, it is started again at the same address.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../contracts/ports.ts'

interface ChildProgram {
  /** For the log: what ended and what was started again. */
  readonly name: string
  readonly program: string
  readonly arguments?: readonly string[]
  /** The program's data folder; its port is stored there. */
  readonly folder: string
  readonly environment: (port: number) => Readonly<Record<string, string | undefined>>
  readonly log?: Pick<Log, 'error' | 'info'> | undefined
}

interface RunningChild<Ready> {
  /** What it announced. */
  readonly ready: Ready
  stop(): Promise<void>
}

interface Launched<Ready> {
  readonly process: ChildProcess
  readonly ready: Ready
}

const readyWithinMs = 15_000
const stopWithinMs = 3_000
/** Doubled until the child serves for a minute, so that one that cannot serve yet costs little. */
const firstPauseMs = 500
const longestPauseMs = 15_000
const steadyMs = 60_000

/** Null if it did not start. */
export async function startChild<Ready extends { readonly url: string }>(
  child: ChildProgram,
): Promise<RunningChild<Ready> | null> {
  await mkdir(child.folder, { recursive: true })
  const portFile = join(child.folder, 'port')
  const usual = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  const running = (usual > 0 && (await launch<Ready>(child, usual))) || (await launch<Ready>(child, 0))
  if (!running) return null
  const port = Number(new URL(running.ready.url).port)
  // A file that is written on a full disk is empty afterwards.
  if (port !== usual) await writeFile(portFile, String(port))
  return { ready: running.ready, stop: keepRunning(child, port, running.process) }
}

/** Starts the child again whenever it ends. Returns what stops it. */
function keepRunning(child: ChildProgram, port: number, first: ChildProcess): () => Promise<void> {
  const { name, log } = child
  const stopping = new AbortController()
  let current = first
  let pauseMs = firstPauseMs

  const watch = (launched: ChildProcess): void => {
    current = launched
    const began = performance.now()
    const handleEnd = (): void => {
      // One that ended in good order was asked to, as by Ctrl-C, which the whole terminal gets.
      if (stopping.signal.aborted || launched.exitCode === 0) return
      if (performance.now() - began > steadyMs) pauseMs = firstPauseMs
      log?.error(
        { process: name, code: launched.exitCode, signal: launched.signalCode },
        `${name} ended and is started again.`,
      )
      starting = startAgain()
    }
    if (hasEnded(launched)) handleEnd()
    else launched.once('exit', handleEnd)
  }
  const startAgain = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      const again = stopping.signal.aborted ? null : await launch(child, port)
      if (again === null) continue
      if (stopping.signal.aborted) return await stop(again.process)
      log?.info({ process: name }, `${name} serves again.`)
      return watch(again.process)
    }
  }
  let starting = Promise.resolve()
  watch(first)
  return async () => {
    stopping.abort()
    await Promise.all([starting, stop(current)])
  }
}

/** Null if it ended before it was ready, for example because the port is in use. */
function launch<Ready>(
  { program, arguments: args = [], environment }: ChildProgram,
  port: number,
): Promise<Launched<Ready> | null> {
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

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    child.once('exit', () => {
      clearTimeout(late)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
