/**
 * A charge that the acquirer executed after its payment was DECLINED is taken back by a REVERSAL. Chapter 10 §6.2, "Late success of a
 * DECLINED payment".
 *
 * It is no command, and no row of the tables: nothing was booked of the charge, so that taking it back changes neither the status
 * nor the reason of the decline nor any money, whatever comes of it.
 */
import type { Conclusion, Result } from './decide.ts'
import type { Payment, TransactionState, TransactionType } from './payment.ts'

/** No command reverses on a declined payment. */
export const takesBack = (payment: Pick<Payment, 'status'>, type: TransactionType): boolean =>
  payment.status === 'DECLINED' && type === 'REVERSAL'

/** Null for what a reversal can not come to: nobody is sent anywhere for it. */
export function concludeTakingBack(payment: Payment, result: Result): Conclusion | null {
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
