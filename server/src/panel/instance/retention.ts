/**
 * One batch of retention, with its audit entry. Chapter 50 §5, "Retention": an audit entry for each purge.
 *
 * A purge is a run through one kind of data, in any number of batches. Its entry is written with the last batch and has the sum; a run that
 * found nothing has no entry.
 */
import { limits } from '#domain/limits.ts'
import type { RetainedKind, RetentionPeriod } from '#domain/retention.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Pool, PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import type { MonthRemoval } from '../../store/months/removal.ts'
import { purges } from '../../store/retention/purges.ts'
import { continueRun, end, type RetentionRun } from '../../store/retention/retention-runs.ts'
import { note } from '../audit/audit.ts'
import type { Actor } from '../context.ts'

const retentionWorker: Actor = { label: 'retention', address: null }

export async function purgeBatch(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  periods: Readonly<Record<RetainedKind, RetentionPeriod>>,
  claimed: RetentionRun,
): Promise<void> {
  const { kind } = claimed
  const now = clock.now()
  const { keptMs, everyMs } = periods[kind]
  const before = new Date(now.getTime() - keptMs)
  const run = restartIfDue(claimed, now)
  await inTransaction(pool, async (client) => {
    const purged = await purges[kind](client, { before, cursor: run.cursor, limit: limits.retention.batch, now })
    if (purged.more) return continueRun(client, run, purged)
    const removed = await end(client, run, purged, { at: now, nextAt: new Date(now.getTime() + everyMs) })
    if (removed === 0n) return
    const after = { removed, olderThan: before }
    await note(client, clock, retentionWorker, {
      action: 'retention.purge',
      subject: `retention ${kind}`,
      merchantId: null,
      after,
    })
  })
}

/** The entry of a month of payments that was removed whole; it is written with the removal. */
export const noteRemovedMonth =
  (clock: Clock, before: Date) =>
  (client: PoolClient, { suffix, payments }: MonthRemoval): Promise<unknown> =>
    note(client, clock, retentionWorker, {
      action: 'retention.purge',
      subject: `retention payments ${suffix.replace('_', '-')}`,
      merchantId: null,
      after: { removed: payments, olderThan: before },
    })

/** A run that starts again from the beginning also reconsiders data that had to stay when it was passed. */
function restartIfDue(run: RetentionRun, now: Date): RetentionRun {
  if (now.getTime() - run.restartedAt.getTime() < limits.retention.restartMs) return run
  return { ...run, cursor: '', restartedAt: now }
}
