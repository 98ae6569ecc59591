/**
 * Compares this machine's clock with the database's, at the start and every minute.
 *
 * Due work is claimed by this machine's clock: a clock ahead runs plans early and treats requests in flight as lost; a clock behind
 * delivers nothing. A process whose clock is far off therefore does no due work until the clock is right again. It still serves requests,
 * because payments can be accepted and written; health, metrics, the log and one alert report the problem.
 *
 * The offset of a sandbox's test clock is not skew: both clocks are read without it.
 */
import { limits } from '#domain/limits.ts'
import type { Alerts, Log } from '../contracts/ports.ts'
import { machineMs } from '../process/clock.ts'
import { StartupError } from '../process/startup-error.ts'
import { readDatabaseTime } from '../store/database/database-time.ts'
import type { Pool } from '../store/database/pool.ts'

type ClockState = 'right' | 'off' | 'far off'

export interface ClockGuard {
  readonly state: ClockState
  /** How far the database is ahead of this machine at least: the query's own duration is taken off. Null before the first comparison. */
  readonly aheadMs: number | null
  /** Compares now. Rejects, without changing anything, if the database does not answer. */
  compare(): Promise<ClockState>
  /** Compares every minute from now on. */
  watch(on: { readonly alerts: Alerts; readonly announceChange: (state: ClockState) => void }): void
  stop(): void
}

interface ClockGuardOptions {
  readonly pool: Pool
  readonly log: Log
  readonly machineMs?: () => number
  readonly everyMs?: number
}

export function clockGuard(options: ClockGuardOptions): ClockGuard {
  const { pool, log, machineMs: machine = machineMs, everyMs = limits.clockSkew.compareMs } = options
  let state: ClockState = 'right'
  let aheadMs: number | null = null
  let timer: NodeJS.Timeout | undefined

  const compare = async (): Promise<ClockState> => {
    aheadMs = certainMs(await readDatabaseTime(pool, machine))
    state = clockState(aheadMs)
    return state
  }

  return {
    get state() {
      return state
    },
    get aheadMs() {
      return aheadMs
    },
    compare,
    watch: ({ alerts, announceChange }) => {
      let reportedState: ClockState = 'right'
      const reportState = async (): Promise<void> => {
        if (state === reportedState) return
        reportedState = state
        announceChange(state)
        const fields = { seconds: Math.round((aheadMs ?? 0) / 1000) }
        if (state === 'right') return log.info(fields, 'The clocks of this machine and the database agree again.')
        log.warn(fields, clockSentence(aheadMs ?? 0))
        if (state === 'far off')
          await alerts.raise({ kind: 'clock-off', merchantId: null, paymentId: null, text: alertOf(aheadMs ?? 0) })
      }
      const look = (): void => {
        // An unavailable database is reported elsewhere and says nothing about the clock.
        compare()
          .then(reportState)
          .catch(() => undefined)
      }
      void reportState().catch(() => undefined)
      timer = setInterval(look, everyMs).unref()
    },
    stop: () => clearInterval(timer),
  }
}

/** A live instance does not start with a clock with which it would do no due work anyway. */
export function refuseFarOff({ state, aheadMs }: Pick<ClockGuard, 'state' | 'aheadMs'>): void {
  if (state !== 'far off') return
  throw new StartupError(clockSentence(aheadMs ?? 0), clockRemedy)
}

export const clockRemedy = 'Synchronise both machines with a time server (chrony, systemd-timesyncd), then try again.'

export function clockSentence(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's.`
}

export function clockState(aheadMs: number): ClockState {
  const off = Math.abs(aheadMs)
  if (off > limits.clockSkew.farOffMs) return 'far off'
  return off > limits.clockSkew.offMs ? 'off' : 'right'
}

/** The difference that remains if the query's travel time is assumed to explain as much as possible. */
export function certainMs({
  aheadMs,
  uncertainMs,
}: {
  readonly aheadMs: number
  readonly uncertainMs: number
}): number {
  return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertainMs)
}

const alertOf = (aheadMs: number): string =>
  `${clockSentence(aheadMs)} The worker of this process is paused until the clocks agree: it sends no callbacks, runs no plans and polls no acquirers.`
