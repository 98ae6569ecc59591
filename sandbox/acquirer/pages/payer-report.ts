/**
 * The payer's action on a payment that is made later, by crypto transfer or voucher. Chapter 20 §6.6, §18.
 *
 * A crypto payment may have any amount: a larger one is accepted, a smaller one is a mismatch. A voucher is paid in full or not at all.
 */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { parseAmount } from '#domain/money/money.ts'
import type { Decision, Transaction } from '../transaction.ts'
import { amountMismatch, approval, type Decline, declinedAsExpired } from '../verdict.ts'

export const moneyWords = ['paid', 'more', 'less', 'expired'] as const
type MoneyWord = (typeof moneyWords)[number]

/** `amount` is written as `0.015`, or empty. Returns an error text instead of a decision for an invalid amount. */
export function moneyDecision({ record }: Transaction, word: MoneyWord, amount: string): Decision | string {
  if (word === 'expired') return declinedAs(declinedAsExpired)
  if (record.money?.by === 'voucher') {
    return word === 'paid' && amount === '' ? paidDecision : 'A voucher is paid in full or not at all.'
  }
  const received = amount === '' ? usual(word, BigInt(record.amount)) : minorOf(amount, record.currency)
  if (received === undefined || received <= 0n) return 'Give the received amount, in the format of the currency.'
  if (record.openAmount) {
    return word === 'paid'
      ? { ...paidDecision, received: String(received) }
      : 'The order has no amount to compare with.'
  }
  const orderAmount = BigInt(record.amount)
  if (word === 'more' && received <= orderAmount) return 'The amount is not more than the order amount.'
  if (word === 'less' && received >= orderAmount) return 'The amount is not less than the order amount.'
  if (received === orderAmount) return paidDecision
  return { ...(received > orderAmount ? paidDecision : declinedAs(amountMismatch)), received: String(received) }
}

const paidDecision: Decision = { ...approval, reason: null, declineClass: null }

export function declinedAs({ state, reason, declineClass }: Decline): Decision {
  return { state, reason, declineClass }
}

/** A tenth more or less, at least one minor unit. */
function usual(word: Exclude<MoneyWord, 'expired'>, orderAmount: bigint): bigint | undefined {
  const tenth = orderAmount / 10n || 1n
  return { paid: orderAmount, more: orderAmount + tenth, less: orderAmount - tenth }[word]
}

function minorOf(amount: string, currency: string): bigint | undefined {
  const parsed = parseAmount(amount, currency, cryptoExponents)
  return typeof parsed === 'string' ? undefined : parsed.minor
}
