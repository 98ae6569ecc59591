/**
 * Removes data past its retention period: idempotency records, card numbers, payers' data and old counters. Chapter 50 §5.
 *
 * A claim is one batch of one kind of data; if there is more, the kind is due again at once. Locks therefore last no longer than a batch,
 * other workers may take the next one, and a run whose process dies continues after its last batch.
 */
import { type RetainedKind, retainedKinds } from '#domain/retention.ts'
import type { Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface RetentionParts<Run> {
  readonly claim: (
    kinds: readonly RetainedKind[],
    due: { readonly now: Date; readonly limit: number; readonly leaseSeconds: number },
  ) => Promise<readonly Run[]>
  /** Removes a batch, writes the audit entry if it is the last one, and settles the run. */
  readonly purge: (run: Run) => Promise<void>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the duration of a batch, so that a lease expires only if its process is dead. */
const leaseSeconds = 120
const pollMs = 5000

export function runRetention<Run>({ claim, purge, clock, ids, log }: RetentionParts<Run>): DueWork {
  return runDueWork({
    name: 'retention',
    claim: (limit) => claim(retainedKinds, { now: clock.now(), limit, leaseSeconds }),
    run: purge,
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}
