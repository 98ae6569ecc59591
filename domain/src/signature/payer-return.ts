/**
 * The `hash` of the payer's return, on every protocol. Payers see it, so it must sign nothing else: its key is derived from the password for
 * this purpose alone, every value carries its length, and the outcome is among the values. Chapter 10 §4.5.
 */
import { createHmac } from 'node:crypto'
import type { Payment } from '../payment/payment.ts'
import { hashMatches, requirePassword, type Values } from './signature.ts'

/** What a return says of the payment: paid or held, not decided yet, or not paid. It is signed and not in the address. */
export const returnOutcomes = ['success', 'open', 'failure'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

/** The values in their order. The merchant knows all but the outcome, of which it tries each. */
export const returnTerms = ['trans_id', 'order_id', 'order_amount', 'order_currency', 'outcome'] as const
type ReturnValues = Values<(typeof returnTerms)[number]>

const returnPurpose = 'payer return'

export function signReturn(values: ReturnValues, password: string): string {
  const key = createHmac('sha256', requirePassword(password)).update(returnPurpose).digest()
  return createHmac('sha256', key).update(returnText(values)).digest('hex')
}

export const verifiesReturn = (hash: unknown, values: ReturnValues, passwords: readonly string[]): boolean =>
  passwords.some((password) => hashMatches(hash, signReturn(values, password)))

export const returnText = (values: ReturnValues): string => returnTerms.map((term) => netstring(values[term])).join('')

/** The number of bytes, a colon, the value, a comma. An absent value is an empty one. */
export const netstring = (value = ''): string => `${Buffer.byteLength(value)}:${value},`

/** Null stands for a session without a payment. */
export function returnOutcomeOf(payment: Pick<Payment, 'status' | 'holds'> | null): ReturnOutcome {
  switch (payment?.status) {
    case 'SETTLED':
      return 'success'
    case 'PENDING':
      return payment.holds ? 'success' : 'open'
    case 'PREPARE':
    case '3DS':
    case 'REDIRECT':
      return 'open'
    case undefined:
    case 'DECLINED':
    case 'REVERSAL':
    case 'REFUND':
    case 'VOID':
    case 'CHARGEBACK':
      return 'failure'
  }
}
