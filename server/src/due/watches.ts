/** Queries acquirers about transactions that were written off. See decisions/certainty#watches. */
import type { TransactionWatches, WatchedTransaction } from '../contracts/unresolved-ports.ts'
import { watch } from '../payments/commands/watch.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** Above the duration of one query. */
const leaseSeconds = 90
/** Less often than other work, because no query of a written-off transaction is urgent. */
const pollMs = 1000

export function runWatches(deps: Deps, watches: TransactionWatches): DueWork {
  return runDueWork({
    name: 'watches',
    claim: (limit) => watches.claim(deps.clock.now(), limit, leaseSeconds),
    run: traceWork(
      deps,
      'watches',
      ({ paymentId }) => paymentId,
      (watched: WatchedTransaction) => watch(deps, watches, watched),
    ),
    concurrency: 4,
    pollMs,
    ids: deps.ids,
    log: deps.log,
  })
}
