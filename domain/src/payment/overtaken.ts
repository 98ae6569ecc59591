/**
 * A command whose outcome is open while the acquirer acts by itself: a hold lapses, or the payer's bank disputes the charge.
 * Chapter 10 §6 ("Chargeback", "Hold lapses"), §6.2.
 *
 * No row of `rules.ts` covers this: a row says how an outcome changes the payment, and here the payment has already changed.
 */
import type { Conclusion, EndedTransaction, Result } from './decide.ts'
import { type Payment, returnableMinorOf } from './payment.ts'

/**
 * Whether the money that the command was to move is gone. A command that never arrived must then not be sent: it would charge the payer
 * on a hold that no longer exists, or refund money that the payer's bank has already returned.
 */
export function isOvertaken(payment: Payment, { type, amountMinor }: EndedTransaction): boolean {
  switch (type) {
    case 'CAPTURE':
      return payment.status !== 'PENDING'
    case 'VOID':
      return payment.status !== 'SETTLED'
    case 'REFUND':
      return amountMinor > returnableMinorOf(payment)
    case 'REVERSAL':
      // Reversing the late charge of a DECLINED payment is never overtaken: its charge has no ledger entry, so no
      // remaining amount exists to compare with.
      return payment.status !== 'PENDING' && payment.status !== 'DECLINED' && amountMinor > returnableMinorOf(payment)
    // They begin with no money of the payment, or are the acquirer's own.
    case 'SALE':
    case 'AUTH':
    case '3DS':
    case 'REDIRECT':
    case 'DEBIT':
    case 'CALC':
    case 'CREDIT':
    case 'TRANSFER':
    case 'RETRY':
    case 'CHARGEBACK':
      return false
  }
}

/**
 * Ends a transaction whose outcome no row accepts, without changing the payment: it moved no money, or released a hold that was already
 * released. Null when it moved money or its outcome is unknown.
 */
export function concludeOvertaken(payment: Payment, { type }: EndedTransaction, result: Result): Conclusion | null {
  const releasedTwice = result === 'ok' && type === 'REVERSAL' && payment.status === 'REVERSAL' && payment.holds
  if (result !== 'fail' && !releasedTwice) return null
  return { state: releasedTwice ? 'success' : 'fail', payment: { ...payment, inFlight: false }, entries: [] }
}
