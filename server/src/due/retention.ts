/**
 * Removes what is kept no longer: idempotency records, card numbers, payers' data and counts of times long past. Chapter 50 §5.
 *
 * A claim is one batch of one kind of data; what has more is due again at once. So nothing is locked for longer than a batch takes, other
 * workers may take the next one, and a run that dies goes on where its last batch ended.
 */
import { type KeptKind, keptKinds } from '#domain/retention.ts'
import type { Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface RetentionParts<Run> {
  readonly claim: (
    kinds: readonly KeptKind[],
    now: Date,
    limit: number,
    leaseSeconds: number,
  ) => Promise<readonly Run[]>
  /** Removes a batch, says so where it must be said, and settles the run. */
  readonly purge: (run: Run) => Promise<void>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the time of a batch, so that a lease lapses only when its process is dead. */
const leaseSeconds = 120
const pollMs = 5000

export function runRetention<Run>({ claim, purge, clock, ids, log }: RetentionParts<Run>): DueWork {
  return runDueWork({
    name: 'retention',
    claim: (limit) => claim(keptKinds, clock.now(), limit, leaseSeconds),
    run: purge,
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}
