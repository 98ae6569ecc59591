/** Waits until a stage is quiet after faults. */
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#domain/limits.ts'
import { connectorById } from '#server/connectors/registry.ts'
import { listBlockedUrls } from '#server/store/callbacks/callback-log.ts'
import { countUnfinished } from './our-record.ts'
import { isQuiet, type Stage, until } from './stage.ts'

/**
 * Seconds until nothing is open at any acquirer and all callbacks are delivered; null if that never happened. An address that timed out too
 * often is blocked for a quarter of an hour of business time, which is skipped on the test clock. So is the time that some acquirers
 * need until they are certain about a lost request, once nothing else is open.
 */
export async function waitUntilSettled(stage: Stage, withinMs: number): Promise<number | null> {
  const slow = slowestOf(stage)
  let skippedMs = 0
  return until(
    async () => {
      // While the database recovers, the state is unknown.
      try {
        if (await isQuiet(stage)) return true
        if ((await listBlockedUrls(stage.pool, stage.context.clock.now())).length > 0)
          await stage.advance(limits.callback.blockedMs)
        if (skippedMs <= slow.decidesAfterMs + stepMs && (await isOnlyOpenAt(stage, slow.connectors))) {
          skippedMs += stepMs
          await advanceAndAsk(stage, stepMs)
        }
      } catch {
        return false
      }
      return false
    },
    withinMs,
    100,
  )
}

/** So that every query and reversal of the reconciler's plan takes place at its time. */
const stepMs = Math.min(...limits.reconcile.reversals.map(({ everyMs }) => everyMs))

interface SlowAcquirers {
  readonly connectors: readonly string[]
  /** Of the slowest one. */
  readonly decidesAfterMs: number
}

/** Acquirers that are certain about a lost request only long after it. */
function slowestOf({ standIns }: Stage): SlowAcquirers {
  const slow = standIns.running.flatMap(({ connector, credentials }) => {
    const { decidesAfterMs } = connectorById(connector)?.recoveryOf(credentials.live) ?? {}
    return decidesAfterMs === undefined ? [] : [{ connector, decidesAfterMs }]
  })
  return {
    connectors: slow.map(({ connector }) => connector),
    decidesAfterMs: Math.max(0, ...slow.map(({ decidesAfterMs }) => decidesAfterMs)),
  }
}

async function isOnlyOpenAt({ pool }: Stage, connectors: readonly string[]): Promise<boolean> {
  const { open, due } = await countUnfinished(pool)
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from transactions join mids on mids.id = mid_id
     where state = 'undefined' and lease_until is null and mids.connector = any ($1)`,
    [connectors],
  )
  return due === 0 && open === (rows[0]?.waiting ?? 0)
}

const afterStepMs = 400

/** Advances the clocks of both sides, and gives the workers time to ask about what is due then. */
export async function advanceAndAsk(stage: Stage, milliseconds: number): Promise<void> {
  await stage.advance(milliseconds)
  if (stage.standIns.running.length > 0) await advanceExecutionTime(stage, milliseconds)
  await sleep(afterStepMs)
}

/**
 * How long a request may still be executed is counted by the database's own clock, which no test moves. A stand-in executes what it reads at once,
 * so that nothing is on its way to it once its sender has stopped waiting.
 */
async function advanceExecutionTime({ pool }: Stage, ms: number): Promise<void> {
  await pool.query(
    `update transactions set in_flight_until = in_flight_until - make_interval(secs => $1::float8 / 1000)
     where state = 'undefined' and lease_until is null`,
    [ms],
  )
}
