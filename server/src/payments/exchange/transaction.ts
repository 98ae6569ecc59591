/** Transactions as operations make them. */
import { limits } from '#domain/limits.ts'
import type { TransactionType } from '#domain/payment/payment.ts'
import type { JsonObject, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'

export function newTransaction(
  payment: Pick<PaymentRecord, 'merchantId' | 'id'>,
  facts: {
    readonly id: string
    readonly type: TransactionType
    readonly amountMinor: bigint
    readonly midId: string
    readonly parameters: JsonObject | null
    readonly creditvoidId: string | null
    readonly useId: string | null
    readonly createdAt: Date
  },
): TransactionRecord {
  return {
    ...facts,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    state: 'sent',
    reference: null,
    facts: {},
    declineReason: null,
    declineClass: null,
    asks: 0,
    endedAt: null,
  }
}

/**
 * When the acquirer is asked next about an open outcome, counted from now; null once the plan is used up and a person
 * has to decide. The first entry of the plan is the moment after a restart, which is found by its dead sender and not by time.
 *
 * Where a payer has time to act, asking goes on past the plan: once at the end of that time, and if nobody answers then, day by
 * day for a month more. Chapter 20 §5.1, "expires_after".
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

/** The planned question, or an earlier one: within so long from now. */
export function atLatest(planned: Date | null, now: Date, withinMs: number | null | undefined): Date | null {
  if (withinMs === null || withinMs === undefined) return planned
  const end = new Date(now.getTime() + withinMs)
  return planned !== null && planned < end ? planned : end
}
