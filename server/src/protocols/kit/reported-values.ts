/** Values that answers and callbacks of several protocols report in the same way: the transaction, amounts, dates, an exchange of currencies. */
import { formatAmount } from '#domain/money/money.ts'
import type { PaymentFacts, TransactionFacts } from '#domain/payment/facts.ts'
import type { TransactionType } from '#domain/payment/payment.ts'
import { dateTimeIn } from '#domain/schedule/day.ts'
import type { TextTree, TextValue } from './bodies/form.ts'

/** Transactions that return money, which are reported as CREDITVOID. */
export const moneyBack: readonly TransactionType[] = ['REFUND', 'REVERSAL']

/** The transaction that an answer or callback reports. */
export function reportedTransaction({ transaction }: PaymentFacts): TransactionFacts {
  if (!transaction) throw new Error('An answer needs the transaction it tells about.')
  return transaction
}

export const amountOf = ({ order }: PaymentFacts, amountMinor: bigint): string =>
  formatAmount(amountMinor, order.currency, order.amountDecimals)

export const dateOf = ({ merchant }: PaymentFacts, at: Date): string => dateTimeIn(at, merchant.timeZone)

/** The exchange of currencies that the acquirer reported, if any. */
export const exchangeFields = ({ exchange }: PaymentFacts) => ({
  exchange_rate: exchange?.rate,
  exchange_rate_base: exchange?.rateBase,
  exchange_currency: exchange?.currency,
  exchange_amount: exchange?.amount,
})

/** Chapter 10 §7.16, chapter 20 §11. */
export const chargebackFields = (facts: PaymentFacts) => ({
  amount: amountOf(facts, reportedTransaction(facts).amountMinor),
  chargeback_date: facts.chargeback ? dateOf(facts, facts.chargeback.at) : undefined,
  bank_date: facts.chargeback?.bankDate,
  reason_code: facts.chargeback?.reasonCode,
})

/** The rows of GET_TRANS_DETAILS. Chapter 10 §7.10. */
export const transactionRows = (facts: PaymentFacts) =>
  (facts.transactions ?? []).map((transaction) => ({
    date: dateOf(facts, transaction.at),
    type: transaction.type,
    status: transaction.state === 'sent' ? 'undefined' : transaction.state,
    amount: amountOf(facts, transaction.amountMinor),
    creditvoid_id: transaction.creditvoidId ?? undefined,
  }))

/**
 * A callback's fields as text. Null, undefined and empty objects are not sent, neither in a form nor in JSON. An empty text is sent,
 * because `arn` is sent empty if it was selected and has no value. Chapter 10 §11.1, chapter 20 §16.
 */
export function textTreeOf(fields: Readonly<Record<string, unknown>>): TextTree {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const text = textOf(value)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** A list stays a list, and its items keep their places: a form numbers them, and JSON has `null` for an item without a value. */
function listOf(items: readonly unknown[]): TextValue | undefined {
  const texts = items.map(textOf)
  return texts.every((text) => text === undefined) ? undefined : texts
}

function textOf(value: unknown): TextValue | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  if (Array.isArray(value)) return listOf(value)
  const parts = textTreeOf({ ...value })
  return Object.keys(parts).length === 0 ? undefined : parts
}
