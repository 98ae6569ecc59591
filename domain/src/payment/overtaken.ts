/**
 * A command whose outcome is open, and what the acquirer did by itself meanwhile: a hold lapsed, the payer's bank disputed the charge.
 * Chapter 10 §6 ("Chargeback", "Hold lapses"), §6.2.
 *
 * These are no rows of the tables: a row says what an outcome makes of the payment, and here the payment has become something else
 * already.
 */
import type { Conclusion, Ended, Result } from './decide.ts'
import { left, type Payment } from './payment.ts'

/**
 * Whether nothing is left of what the command was to move. One that never arrived must then not be sent after all: the payer would be
 * charged on a hold that is gone, or be given back what his bank has taken.
 */
export function isOvertaken(payment: Payment, { type, amountMinor }: Ended): boolean {
  switch (type) {
    case 'CAPTURE':
      return payment.status !== 'PENDING'
    case 'VOID':
      return payment.status !== 'SETTLED'
    case 'REFUND':
      return amountMinor > left(payment)
    case 'REVERSAL':
      // What takes back a late charge of a declined payment was never booked, so that nothing of it can be left.
      return payment.status !== 'PENDING' && payment.status !== 'DECLINED' && amountMinor > left(payment)
    default:
      return false
  }
}

/**
 * What an outcome makes of the payment when no row takes it: nothing, if it moved nothing. Null for what did move money; only of a hold
 * that is released already it is no matter that it was released twice.
 */
export function concludeOvertaken(payment: Payment, { type }: Ended, result: Result): Conclusion | null {
  const releasedTwice = result === 'ok' && type === 'REVERSAL' && payment.status === 'REVERSAL' && payment.holds
  if (result !== 'fail' && !releasedTwice) return null
  return { state: releasedTwice ? 'success' : 'fail', payment: { ...payment, inFlight: false }, entries: [] }
}
