/**
 * The dashboard's light "statements match the ledger". The comparison reads the whole ledger, so its result is kept for some minutes, and a
 * dashboard does not wait for it longer than a moment.
 */

import { statementStore } from '../../store/finance/statements.ts'
import type { AdminContext } from '../context.ts'
import { findStatementFaults } from './statements.ts'

type Result = NonNullable<Awaited<ReturnType<typeof findStatementFaults>>> & { readonly at: Date }

interface Comparison {
  readonly beganMs: number
  /** A statement that was closed since makes the result outdated. */
  readonly newest: string | null
  readonly result: Promise<Result | null>
}

const keptMs = 10 * 60_000
const waitMs = 250

const comparisons = new WeakMap<AdminContext['pool'], Map<string, Comparison>>()

/** Null if there is no statement yet, while the first comparison takes long, or if a month of payments was removed meanwhile. */
export async function checkNewestStatement(
  context: Pick<AdminContext, 'pool' | 'clock'>,
  merchantIds: readonly string[] | null,
): Promise<Result | null> {
  const [newest] = await statementStore(context.pool).list(merchantIds, null, 1)
  if (!newest) return null
  const comparisonsOfPool = comparisons.get(context.pool) ?? new Map<string, Comparison>()
  comparisons.set(context.pool, comparisonsOfPool)
  const scope = merchantIds === null ? 'all' : merchantIds.toSorted().join()
  const last = comparisonsOfPool.get(scope)
  const isCurrent = last?.newest === newest.id && performance.now() - last.beganMs < keptMs
  const comparison = isCurrent ? last : begin(context, merchantIds, newest.id)
  comparisonsOfPool.set(scope, comparison)
  return Promise.race([comparison.result, new Promise<null>((resolve) => setTimeout(resolve, waitMs, null).unref())])
}

/** A comparison that failed counts as none; the next dashboard begins another after some minutes. */
const begin = (
  context: Pick<AdminContext, 'pool' | 'clock'>,
  merchantIds: readonly string[] | null,
  newest: string,
): Comparison => ({
  beganMs: performance.now(),
  newest,
  result: findStatementFaults(context, merchantIds).then(
    (found) => found && { ...found, at: context.clock.now() },
    () => null,
  ),
})
