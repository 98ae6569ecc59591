/** Raises an alert for a payment that waits in review until its hold is about to expire. Chapter 70 §7. */

import { formatAmount } from '#domain/money/money.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { Alerts, Clock, Ids, Log } from '../contracts/ports.ts'
import type { UndecidedReview } from '../contracts/risk-ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface ReviewDeadlineParts {
  readonly listUndecided: (before: Date) => Promise<readonly UndecidedReview[]>
  readonly alerts: Alerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 10 * 60_000
/** The shortest usual hold of a card lasts seven days: two are left. */
const warnedAfterMs = 5 * dayMs

export const reviewAlertKind = 'review-due'

/** No lease: `once` keeps two workers from raising the same alert. */
export function runReviewDeadlines({ listUndecided, alerts, clock, ids, log }: ReviewDeadlineParts): DueWork {
  return runDueWork({
    name: 'review-deadlines',
    claim: async (limit) => (await listUndecided(new Date(clock.now().getTime() - warnedAfterMs))).slice(0, limit),
    run: async ({ merchantId, id, orderId, authorisedMinor, currency, amountDecimals, createdAt }) => {
      const amount = `${formatAmount(authorisedMinor, currency, amountDecimals)} ${currency}`
      const since = utcDay(createdAt)
      await alerts.raise({
        kind: reviewAlertKind,
        merchantId,
        paymentId: id,
        text: `Order ${orderId} of ${amount} has been in review since ${since}. Accept or reject it before its hold expires.`,
        once: true,
      })
    },
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
