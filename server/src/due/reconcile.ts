/** The reconciler: queries acquirers about open transactions, at once after a crash and then on schedule. Chapter 50 §5. */
import type { UnresolvedTransaction, UnresolvedTransactions } from '../contracts/unresolved-ports.ts'
import { reconcile } from '../payments/commands/reconcile.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { traceWork } from './job.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

export function runReconciler(deps: Deps, unresolved: UnresolvedTransactions): DueWork {
  return runDueWork({
    name: 'reconcile',
    claim: (limit) => unresolved.claim(deps.clock.now(), limit, leaseSeconds),
    run: traceWork(
      deps,
      'reconcile',
      ({ transaction }) => transaction.paymentId,
      (due: UnresolvedTransaction) => reconcile(deps, unresolved, due),
    ),
    concurrency: 16,
    ids: deps.ids,
    log: deps.log,
  })
}
