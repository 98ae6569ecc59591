/** Transactions as operations make them. */
import { limits } from '#domain/limits.ts'
import type { TransactionType } from '#domain/payment/payment.ts'
import type { JsonObject, PaymentRecord, TransactionRecord } from '../records.ts'

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
 */
export function nextAsk(now: Date, asksMade: number): Date | null {
  const seconds = limits.reconcile.afterSeconds[asksMade + 1]
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
}

/** While a send is under way nobody asks; if its process lives but never wrote the outcome, the reconciler takes over. */
export const askIfForgotten = (now: Date): Date => new Date(now.getTime() + 2 * limits.acquirer.waitMs)
