/** How Checkout says what the other protocols say in capitals: statuses, transaction statuses, amounts, reasons. Chapter 30 §4.1, §5. */
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

/** One that is still being sent has an outcome that nobody knows. */
export const transactionStatus = ({ state }: Pick<TransactionFacts, 'state'>): TransactionStatus =>
  state === 'sent' ? 'undefined' : state

/** As the merchant wrote it. A plan's charge was written by nobody; an open amount is not known before the money came. */
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

/** What the service itself says is a word; what an acquirer says is a sentence, and Checkout ends it like one. Chapter 30 §4.1, §11. */
const ownReasons: ReadonlySet<string> = new Set(['Expired', 'Cancelled by payer'])

export function reasonOf({ declineReason }: Pick<PaymentFacts, 'declineReason'>): string | undefined {
  if (declineReason === null) return undefined
  const isSentence = ownReasons.has(declineReason) || /[.!?]$/.test(declineReason)
  return (isSentence ? declineReason : `${declineReason}.`).slice(0, limits.length.declineReason)
}
