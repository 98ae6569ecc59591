/** When the acquirer is asked about an open transaction. */
import { limits } from '#domain/limits.ts'
import type { TransactionRecord } from '../../contracts/records.ts'

/**
 * When the acquirer is asked next about an open outcome; null once the plan is used up and an operator has to decide. The first entry
 * of the plan applies after a restart, when the sending process is found dead; it is not a time.
 *
 * If the payer has time to act, the queries continue after the plan: once at the end of that time, and then daily for a month.
 * Chapter 20 §5.1, "expires_after".
 */
export function nextAsk(now: Date, asksMade: number, payerHasUntil: Date | null = null): Date | null {
  const { afterSeconds } = limits.reconcile
  const planned = afterSeconds[asksMade + 1]
  if (payerHasUntil === null) return planned === undefined ? null : after(now, planned)
  if (planned === undefined && now >= after(payerHasUntil, stopAskingSeconds)) return null

  const next = after(now, planned ?? afterSeconds.at(-1) ?? 0)
  return now < payerHasUntil && payerHasUntil < next ? payerHasUntil : next
}

const stopAskingSeconds = 30 * 86_400

const after = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1000)

/**
 * Within what time an acquirer that reverses unknown outcomes is asked again, in place of the plan: the plan waits for hours, and if one
 * reversal is lost the payer would stay charged so long. Null for a transaction that is too old; then an operator decides.
 */
export function reverseAgainWithinMs(now: Date, { createdAt }: Pick<TransactionRecord, 'createdAt'>): number | null {
  const ageMs = now.getTime() - createdAt.getTime()
  return limits.reconcile.reversals.find(({ youngerThanMs }) => ageMs < youngerThanMs)?.everyMs ?? null
}

/** The planned time of the query, or an earlier one if `withinMs` ends sooner. */
export function atLatest(planned: Date | null, now: Date, withinMs: number | null | undefined): Date | null {
  if (withinMs === null || withinMs === undefined) return planned
  const end = new Date(now.getTime() + withinMs)
  return planned !== null && planned < end ? planned : end
}
