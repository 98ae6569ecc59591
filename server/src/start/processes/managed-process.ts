/**
 * One process of the group: started, started again when it ends, and replaced on request. The new process is ready
 * before the old one gets SIGTERM, so that requests never wait.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../contracts/ports.ts'
import type { Role } from '../../process/config.ts'
import { type MemberReady, type MemberStart, readToSupervisor, type ToMember, type ToSupervisor } from './messages.ts'

/** A process that ends sooner after its start is started again later and later. */
const shortLifeMs = 60_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** An instance with many payments loads its configuration first; a machine under load takes its time. */
const readyWithinMs = 120_000
/** A process ends itself after 9.5 s. */
const endWithinMs = 12_000

interface ProcessOptions {
  /** Its number, or `worker`. */
  readonly name: string
  readonly role: Role
  /** What the process gets. */
  readonly memberStart: Omit<MemberStart, 'sockets'>
  /** Sockets that it inherits. */
  readonly sockets: OpenSockets
  readonly log: Log
  readonly onMessage: (message: ToSupervisor, from: ManagedProcess) => void
}

export interface ManagedProcess {
  readonly name: string
  /** False while its process starts anew. */
  readonly serving: boolean
  /** How often a process ended without being asked. */
  readonly restarts: number
  /** Null if the process ended before it was ready; its own words say why. */
  start(): Promise<MemberReady | null>
  /** False if no new process could be started; the old one then goes on. */
  replace(): Promise<boolean>
  send(message: ToMember): void
  /** Resolves when its process has ended; after `limitMs` it is killed. */
  stop(signal: NodeJS.Signals, limitMs: number): Promise<void>
}

/** The supervisor's descriptors. */
interface OpenSockets {
  readonly payments: number | null
  /** Of the panel, or of the health and metrics of a worker. */
  readonly panel: number | null
}

/** Node accepts one connection per descriptor and tick of the event loop; see `acceptors.ts`. */
const acceptsPerTick = 4
/** The first descriptor behind standard input, output, error and the channel. */
const firstInherited = 4

export function openProcess({ name, role, memberStart, sockets, log, onMessage }: ProcessOptions): ManagedProcess {
  const descriptors = Array.from({ length: acceptsPerTick }, () => sockets.payments).filter((one) => one !== null)
  const panel = sockets.panel === null ? [] : [sockets.panel]
  const startMessage: MemberStart = {
    ...memberStart,
    sockets: {
      payments: descriptors.map((_, index) => firstInherited + index),
      panel: panel.map(() => firstInherited + descriptors.length),
    },
  }

  let current: ChildProcess | null = null
  let restarts = 0
  let stopping = false
  const starting = new Set<ChildProcess>()
  // A process that ends while it is to be replaced would otherwise get two successors.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  const launch = async (): Promise<MemberReady | null> => {
    const child = fork(process.argv[1] ?? '', [role, '--member'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...descriptors, ...panel],
    })
    starting.add(child)
    const began = performance.now()
    // Sending to a process that has just ended fails; its end is noticed anyway.
    child.on('error', () => undefined)
    const ready = await new Promise<MemberReady | null>((resolve) => {
      const late = setTimeout(() => {
        log.error({ process: name, seconds: readyWithinMs / 1000 }, 'A process was not ready in time and is ended.')
        child.kill('SIGKILL')
      }, readyWithinMs)
      child.once('exit', () => {
        clearTimeout(late)
        resolve(null)
      })
      child.on('message', (received) => {
        const message = readToSupervisor(received)
        if (message?.kind === 'loaded') sendTo(child, startMessage)
        else if (message?.kind === 'ready') {
          clearTimeout(late)
          resolve(message)
        } else if (message) onMessage(message, managed)
      })
    })
    starting.delete(child)
    if (ready === null) return null
    if (stopping) {
      child.kill('SIGTERM')
      return null
    }
    current = child
    log.info({ process: name, pid: child.pid ?? 0 }, 'A process serves.')
    child.once('exit', (code, signal) => {
      if (current !== child || stopping) return
      current = null
      restarts += 1
      log.error({ process: name, pid: child.pid ?? 0, code, signal }, 'A process ended and is started again.')
      void startAgain(performance.now() - began < shortLifeMs ? firstPauseMs : 0)
    })
    return ready
  }

  const startAgain = async (pauseMs: number): Promise<void> => {
    if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
    const isFilled = await inOrder(async () => stopping || current !== null || (await launch()) !== null)
    if (isFilled || stopping) return
    log.error({ process: name }, 'A process could not be started again.')
    await startAgain(Math.min(Math.max(2 * pauseMs, firstPauseMs), longestPauseMs))
  }

  const managed: ManagedProcess = {
    name,
    get serving() {
      return current !== null
    },
    get restarts() {
      return restarts
    },
    start: () => inOrder(launch),
    replace: () =>
      inOrder(async () => {
        const old = current
        if ((await launch()) === null) return false
        if (old) await end(old, 'SIGTERM', endWithinMs)
        return true
      }),
    send: (message) => {
      if (current) sendTo(current, message)
    },
    stop: async (signal, limitMs) => {
      stopping = true
      const running = [...starting, ...(current === null ? [] : [current])]
      await Promise.all(running.map((child) => end(child, signal, limitMs)))
    },
  }
  return managed
}

function sendTo(child: ChildProcess, message: ToMember): void {
  if (child.connected) child.send(message, () => undefined)
}

async function end(child: ChildProcess, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const late = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  clearTimeout(late)
}
