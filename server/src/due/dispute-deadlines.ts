/** Raises an alert 7, 3 and 1 days before a dispute has to be answered. Chapter 70 §4. */
import { dueWarning } from '#domain/dispute/dispute.ts'
import { formatAmount } from '#domain/money/money.ts'
import type { DisputeDeadlines, DueDispute } from '../contracts/dispute-ports.ts'
import type { Alerts, Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface DeadlineParts {
  readonly deadlines: DisputeDeadlines
  readonly alerts: Alerts
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 10 * 60_000
const day = 86_400_000

/** No lease: `once` keeps two workers from raising the same alert. */
export function runDisputeDeadlines({ deadlines, alerts, clock, ids, log }: DeadlineParts): DueWork {
  const today = (): string => clock.now().toISOString().slice(0, 10)
  const warningOf = ({ dueOn, warnedDays }: DueDispute): number | null =>
    dueOn === null ? null : dueWarning(Math.round((Date.parse(dueOn) - Date.parse(today())) / day), warnedDays)
  return runDueWork({
    name: 'dispute-deadlines',
    claim: async (limit) => (await deadlines.dueSoon(today())).filter((one) => warningOf(one) !== null).slice(0, limit),
    run: async (dispute) => {
      const days = warningOf(dispute)
      if (days === null) return
      const { merchantId, paymentId, reference, amountMinor, currency, amountDecimals, dueOn } = dispute
      const amount = `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`
      const text = `Dispute ${reference} of ${amount} must be answered by ${dueOn}. Accept or contest it.`
      await alerts.raise({
        kind: 'dispute-due',
        merchantId,
        paymentId,
        text: `${text} Days before: ${days}.`,
        once: true,
      })
      await deadlines.warned(dispute, days)
    },
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
