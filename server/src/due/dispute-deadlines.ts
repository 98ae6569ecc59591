/** Raises an alert, and writes to the people who may answer, 7, 3 and 1 days before a dispute has to be answered. Chapter 70 §4. */

import { dueWarning } from '#domain/dispute/dispute.ts'
import { formatAmount } from '#domain/money/money.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { DisputeDeadlines, DueDispute } from '../contracts/dispute-ports.ts'
import type { Alerts, Clock, Ids, Log } from '../contracts/ports.ts'
import { type DueWork, runDueWork } from './due-work.ts'

interface DeadlineParts {
  readonly deadlines: DisputeDeadlines
  readonly alerts: Alerts
  /** The addresses of the people who may answer disputes of the merchant; none if no mail is sent. */
  readonly listAnswerers: (merchantId: string) => Promise<readonly string[]>
  readonly panelUrl: () => string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

const pollMs = 10 * 60_000

/** No lease: `once` keeps two workers from raising the same alert, and only one of them marks the warning and queues its mails. */
export function runDisputeDeadlines(parts: DeadlineParts): DueWork {
  const { deadlines, alerts, listAnswerers, panelUrl, clock, ids, log } = parts
  const today = (): string => utcDay(clock.now())
  const warningOf = ({ dueOn, warnedDays }: DueDispute): number | null =>
    dueOn === null ? null : dueWarning(Math.round((Date.parse(dueOn) - Date.parse(today())) / dayMs), warnedDays)
  return runDueWork({
    name: 'dispute-deadlines',
    claim: async (limit) =>
      (await deadlines.listDueSoon(today())).filter((one) => warningOf(one) !== null).slice(0, limit),
    run: async (dispute) => {
      const days = warningOf(dispute)
      if (days === null) return
      const { merchantId, paymentId, reference, amountMinor, currency, amountDecimals, dueOn, isChargedBack } = dispute
      const what = isChargedBack ? 'Dispute' : 'Inquiry'
      const amount = `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`
      const text = `${what} ${reference} of ${amount} must be answered by ${dueOn}. Accept or contest it.`
      await alerts.raise({
        kind: 'dispute-due',
        merchantId,
        paymentId,
        text: `${text} Days before: ${days}.`,
        once: true,
      })
      await deadlines.recordWarning(dispute, days, {
        mails: (await listAnswerers(merchantId)).map((to) => ({ id: ids.next(), to })),
        subject: `${what} to be answered by ${dueOn}: ${amount}`,
        text: `${text}\n\n${panelUrl()}/admin/disputes?merchantId=${merchantId}\n`,
        at: clock.now(),
      })
    },
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
