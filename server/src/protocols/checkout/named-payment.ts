/** The payment that a look-up or a follow-up names. Chapter 30 §4.1. */

import { isUuid } from '#domain/uuid.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Caller } from './endpoint.ts'

/** Payments of another merchant, of the other mode or of an S2S protocol are unknown here, and so is a text that is not an identifier. */
export async function findNamedPayment(caller: Caller, paymentId: string): Promise<PaymentRecord | null> {
  if (!isUuid(paymentId)) return null
  const { merchant, mode, operations } = caller
  const payment = await operations.find(merchant.id, paymentId.toLowerCase())
  return payment?.protocol === 'CHECKOUT' && payment.mode === mode ? payment : null
}
