/** The reconciler: queries acquirers about open transactions, at once after a crash and then on schedule. Chapter 50 §5. */
import type { UnresolvedTransactions } from '../contracts/ports.ts'
import { reconcile } from '../payments/commands/reconcile.ts'
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

/** Above the duration of one exchange, so that a lease expires only if its process is dead. */
const leaseSeconds = 90

export function runReconciler(deps: Deps, unresolved: UnresolvedTransactions): DueWork {
  return runDueWork({
    name: 'reconcile',
    claim: (limit) => unresolved.claim(deps.clock.now(), limit, leaseSeconds),
    run: (transaction) => reconcile(deps, unresolved, transaction),
    concurrency: 16,
    ids: deps.ids,
    log: deps.log,
  })
}
