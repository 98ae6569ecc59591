/** The dependencies of an operation that a test calls as another process would: the shop's own database and clock, and no acquirer. */
import type { Deps } from '#server/payments/request/deps.ts'
import { reporter } from '#server/protocols/reporter.ts'
import { disputeReports } from '#server/store/finance/disputes/dispute-reports.ts'
import { alertStore } from '#server/store/instance/alerts.ts'
import { payerStepStore } from '#server/store/payments/payer-steps.ts'
import { paymentStore } from '#server/store/payments/payments.ts'
import { reviewStore } from '#server/store/payments/reviews.ts'
import type { Shop } from './shop.ts'

export function operationDeps({ base: { pool, clock, ids, vault }, service: { configuration } }: Shop): Deps {
  const deps = {
    payments: paymentStore(pool),
    steps: payerStepStore(pool),
    vault,
    configuration,
    reporter: reporter({ configuration, acquirers: { connector: () => null }, ids }),
    alerts: alertStore(pool, { clock, ids }),
    disputes: disputeReports(pool),
    reviews: reviewStore(pool),
    clock,
    wake: () => undefined,
  }
  // The operations that are called this way need only these.
  return deps as unknown as Deps
}
