/**
 * A charge that the acquirer executed after its payment was DECLINED is reversed by a REVERSAL. Chapter 10 §6.2, "Late success of a
 * DECLINED payment".
 *
 * This is neither a command nor a row of the tables: the charge was never posted to the ledger, so its reversal changes neither the status
 * nor the decline reason nor any amount, whatever its outcome.
 */
import type { Conclusion, Result } from './decide.ts'
import type { Payment, TransactionState, TransactionType } from './payment.ts'

/** The status alone decides, because no command can record a REVERSAL on a declined payment. */
export const reversesLateCharge = (payment: Pick<Payment, 'status'>, type: TransactionType): boolean =>
  payment.status === 'DECLINED' && type === 'REVERSAL'

/** Null for payer steps, which a reversal never has. */
export function concludeLateReversal(payment: Payment, result: Result): Conclusion | null {
  if (result === '3DS' || result === 'REDIRECT') return null
  const inFlight = result === 'unknown' || result === 'waiting'
  return { state: stateOf[result], payment: { ...payment, inFlight }, entries: [] }
}

const stateOf: Readonly<Record<Exclude<Result, '3DS' | 'REDIRECT'>, TransactionState>> = {
  ok: 'success',
  fail: 'fail',
  unknown: 'undefined',
  waiting: 'waiting',
}
