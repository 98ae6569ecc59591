/**
 * The dashboard's light "statements match the ledger". The comparison reads the whole ledger, so its result is kept for some minutes, and a
 * dashboard does not wait for it longer than a moment.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../contracts/ports.ts'
import { statementStore } from '../../store/finance/statements.ts'
import type { AdminContext } from '../context.ts'
import { findStatementFaults } from './statements.ts'

type Compared = NonNullable<Awaited<ReturnType<typeof findStatementFaults>>>

type StatementCheck =
  | (Compared & { readonly kind: 'compared'; readonly at: Date })
  /** The comparison was not finished. `at` is the time of the last one that was; null if none was. */
  | { readonly kind: 'failed'; readonly at: Date | null }

interface Comparison {
  readonly beganMs: number
  /** A statement that was closed since makes the result outdated. */
  readonly newest: string
  readonly result: Promise<StatementCheck | null>
  /** Until the result is there, that of the comparison before. */
  shown: StatementCheck | null
}

type CheckContext = Pick<AdminContext, 'pool' | 'clock'> & { readonly log: Pick<Log, 'warn'> }

const keptMs = 10 * 60_000
const waitMs = 250

const comparisons = new WeakMap<AdminContext['pool'], Map<string, Comparison>>()

/** Null if there is no statement yet, while the first comparison since the newest one takes long, or if a month of payments was removed meanwhile. */
export async function checkNewestStatement(
  context: CheckContext,
  merchantIds: readonly string[] | null,
): Promise<StatementCheck | null> {
  const [newest] = await statementStore(context.pool).list(merchantIds, null, 1)
  if (!newest) return null
  const comparisonsOfPool = comparisons.get(context.pool) ?? new Map<string, Comparison>()
  comparisons.set(context.pool, comparisonsOfPool)
  const scope = merchantIds === null ? 'all' : merchantIds.toSorted().join()
  const last = comparisonsOfPool.get(scope)
  const before = last?.newest === newest.id ? last : null
  const isYoung = before !== null && performance.now() - before.beganMs < keptMs
  const comparison = isYoung ? before : begin(context, merchantIds, { newest: newest.id, shown: before?.shown ?? null })
  comparisonsOfPool.set(scope, comparison)
  return Promise.race([comparison.result, sleep(waitMs, undefined, { ref: false }).then(() => comparison.shown)])
}

/** One that failed is not repeated for some minutes either. */
function begin(
  context: CheckContext,
  merchantIds: readonly string[] | null,
  known: Pick<Comparison, 'newest' | 'shown'>,
): Comparison {
  const result = compare(context, merchantIds, known.shown?.at ?? null).then((found) => {
    comparison.shown = found
    return found
  })
  const comparison: Comparison = { beganMs: performance.now(), result, ...known }
  return comparison
}

async function compare(
  context: CheckContext,
  merchantIds: readonly string[] | null,
  lastAt: Date | null,
): Promise<StatementCheck | null> {
  try {
    const found = await findStatementFaults(context, merchantIds)
    return found && { kind: 'compared', ...found, at: context.clock.now() }
  } catch (error) {
    context.log.warn({ err: error }, 'The statements could not be compared with the ledger.')
    return { kind: 'failed', at: lastAt }
  }
}
