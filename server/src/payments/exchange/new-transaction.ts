/** A transaction as it is before the acquirer has answered. */
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
