/** What this process knows about its own condition: whether it can write, whether its clock is right, whether due work proceeds. */
import type { processBeatStore } from '../store/instance/process-beats.ts'
import type { ClockGuard } from './clock-guard.ts'
import { onceASecond } from './once-a-second.ts'
import { WriteRefused, writeProbe } from './write-probe.ts'

/** Due work whose polls are this late has stopped: a claim takes at most half of it. */
const standsStillMs = 60_000
/** A fail-over to a standby this late would stop payments while it catches up. */
const standbyBehindSeconds = 60
/** Written periodically, so that a worker without health queries does not look stopped to other processes. */
const beatEveryMs = 15_000

export interface Vitals {
  /** Each resolves if all is well, and rejects with an error whose `fault` names the problem. */
  readonly checks: {
    readonly database: () => Promise<void>
    readonly writes: () => Promise<void>
    readonly recovery: () => Promise<void>
  }
  /** The same for conditions that do not prevent payments. */
  readonly notices: {
    readonly worker: () => Promise<void>
    readonly clock: () => Promise<void>
    readonly replication: () => Promise<void>
    readonly nodes: () => Promise<void>
    readonly memory: () => Promise<void>
    readonly descriptors: () => Promise<void>
    /** Absent where there is none. */
    readonly sandbox?: () => Promise<void>
  }
  /** A write of this process was refused; see `WriteProbe`. */
  probeAtOnce(): void
  stop(): Promise<void>
}

interface Standbys {
  readonly missing: number
  readonly lost: number
  readonly secondsBehind: number | null
  readonly isHidden: boolean
}

interface VitalsOptions {
  readonly beats: ReturnType<typeof processBeatStore>
  readonly process: number
  readonly role: 'all' | 'api' | 'worker'
  readonly release: string
  readonly guard: Pick<ClockGuard, 'state'>
  readonly recovery: { readonly active: boolean }
  readonly workers: readonly { readonly overdueMs: number }[]
  readonly readStandbys: () => Promise<Standbys>
  /** The servers of a distributed database that do not answer. */
  readonly findSilentNodes: () => Promise<readonly string[]>
  readonly memory: { readonly isTooSmall: boolean }
  readonly descriptors: { readonly isScarce: boolean }
  /** Resolves to false if the sandbox does not answer; null where there is none. */
  readonly askSandbox: (() => Promise<boolean>) | null
}

export function watchVitals(options: VitalsOptions): Vitals {
  const { beats, process, role, release, guard, recovery, workers, readStandbys, findSilentNodes, memory } = options
  const { descriptors, askSandbox } = options
  const isWorking = (): boolean =>
    workers.length > 0 && guard.state !== 'far off' && workers.every(({ overdueMs }) => overdueMs < standsStillMs)
  const probe = writeProbe({ beats, beat: { process, role, release }, isWorking })
  const sinceWork = onceASecond(() => beats.readSecondsSinceWork())
  const standbysNow = onceASecond(readStandbys)
  const silentNow = onceASecond(findSilentNodes)
  const sandboxNow = askSandbox && onceASecond(askSandbox)
  const timer = setInterval(() => void probe().catch(() => undefined), beatEveryMs).unref()
  // At once, so that a worker is known before the first query.
  if (role !== 'api') void probe().catch(() => undefined)

  return {
    checks: {
      // A write that the server refused has at least reached it.
      database: () =>
        probe().catch((error: unknown) => {
          if (!(error instanceof WriteRefused) || error.fault === 'database_unreachable') throw error
        }),
      writes: probe,
      recovery: async () => {
        if (recovery.active) throw new ConditionFault('in_recovery')
      },
    },
    notices: {
      worker: async () => {
        const seconds = await sinceWork()
        if (seconds === null || seconds * 1000 > standsStillMs) throw new ConditionFault('worker_standing_still')
      },
      clock: async () => {
        if (guard.state !== 'right') throw new ConditionFault(guard.state === 'off' ? 'clock_off' : 'clock_far_off')
      },
      replication: async () => {
        const { missing, lost, secondsBehind, isHidden } = await standbysNow()
        if (lost > 0) throw new ConditionFault('standby_lost')
        if (missing > 0) throw new ConditionFault('standby_missing')
        if ((secondsBehind ?? 0) > standbyBehindSeconds) throw new ConditionFault('standby_behind')
        if (isHidden) throw new ConditionFault('standby_lag_hidden')
      },
      // A notice: the merchants of the other servers go on, whom a proxy would lose if every process said that it cannot take payments.
      nodes: async () => {
        const nodes = await silentNow()
        if (nodes.length > 0) throw new SilentNodes(nodes)
      },
      memory: async () => {
        if (memory.isTooSmall) throw new ConditionFault('memory_limit_small')
      },
      descriptors: async () => {
        if (descriptors.isScarce) throw new ConditionFault('descriptors_scarce')
      },
      ...(sandboxNow && {
        sandbox: async () => {
          if (!(await sandboxNow())) throw new ConditionFault('sandbox_gone')
        },
      }),
    },
    probeAtOnce: () => probe.probeAtOnce(),
    stop: async () => {
      clearInterval(timer)
      await beats.forget(process).catch(() => undefined)
    },
  }
}

class SilentNodes extends Error {
  override readonly name = 'SilentNodes'
  readonly fault = 'node_silent'
  readonly nodes: readonly string[]

  constructor(nodes: readonly string[]) {
    super(`Servers of the distributed database do not answer: ${nodes.join(', ')}.`)
    this.nodes = nodes
  }
}

class ConditionFault extends Error {
  override readonly name = 'ConditionFault'
  readonly fault: string

  constructor(fault: string) {
    super(fault)
    this.fault = fault
  }
}
