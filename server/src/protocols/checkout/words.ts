/** Checkout's own spelling of statuses, transaction statuses, amounts and reasons. Chapter 30 §4.1, §5. */
import { limits } from '#domain/limits.ts'
import { formatAmount } from '#domain/money/money.ts'
import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import type { Status, TransactionState } from '#domain/payment/payment.ts'

type OrderStatus = Exclude<Lowercase<Status>, 'declined'> | 'decline'

// biome-ignore format: a table is read in columns.
const statuses: Readonly<Record<Status, OrderStatus>> = {
  'PREPARE':    'prepare',
  '3DS':        '3ds',
  'REDIRECT':   'redirect',
  'PENDING':    'pending',
  'SETTLED':    'settled',
  'REVERSAL':   'reversal',
  'REFUND':     'refund',
  'VOID':       'void',
  'CHARGEBACK': 'chargeback',
  'DECLINED':   'decline',
}

export const orderStatus = ({ status }: Pick<PaymentFacts, 'status'>): OrderStatus => statuses[status]

export type TransactionStatus = Exclude<TransactionState, 'sent'>

/** A transaction that is still being sent shows as undefined. */
export const transactionStatus = ({ state }: Pick<TransactionFacts, 'state'>): TransactionStatus =>
  state === 'sent' ? 'undefined' : state

/** As the merchant wrote it. A plan's charge has no such text and is formatted; an open amount is unknown until money arrives. */
export function orderAmount({ order }: PaymentFacts): string | undefined {
  if (order.amountAsSent !== null) return order.amountAsSent
  return order.amountMinor === null ? undefined : formatAmount(order.amountMinor, order.currency, order.amountDecimals)
}

export const orderAnswer = (facts: PaymentFacts) => ({
  number: facts.order.id,
  amount: orderAmount(facts),
  currency: facts.order.currency,
  description: facts.order.description,
})

/** Reasons of the service itself stay as they are; Checkout ends an acquirer's reason like a sentence. Chapter 30 §4.1, §11. */
const ownReasons: ReadonlySet<string> = new Set(['Expired', 'Cancelled by payer'])

export function reasonOf({ declineReason }: Pick<PaymentFacts, 'declineReason'>): string | undefined {
  if (declineReason === null) return undefined
  const isSentence = ownReasons.has(declineReason) || /[.!?]$/.test(declineReason)
  return (isSentence ? declineReason : `${declineReason}.`).slice(0, limits.length.declineReason)
}
