/** The payment that a follow-up or look-up names. Chapter 10 §3, §10.4. */

import type { Protocol } from '#domain/merchant.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { isUuid } from '#domain/uuid.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Caller, Signed } from '../kit/action.ts'

/** Payments of another merchant, of the other mode or of S2S APM are unknown here, and so is a text that is not an identifier. */
export async function findNamedPayment(caller: Caller, transId: string): Promise<PaymentRecord | null> {
  if (!isUuid(transId)) return null
  const payment = await caller.operations.find(caller.merchant.id, transId.toLowerCase())
  return payment && belongsHere(payment, caller) ? payment : null
}

/** The protocols whose payments are known here. */
export const knownHere: readonly Protocol[] = ['S2S_CARD', 'CHECKOUT']

const belongsHere = (payment: PaymentRecord, { mode }: Caller): boolean =>
  payment.mode === mode && knownHere.includes(payment.protocol)

/** Formula 2; Formula 6 for a payout, whose e-mail is never signed. */
export function followUpSignature(payment: PaymentRecord): Signed {
  const values = { trans_id: payment.id, pan10: payment.pan10 ?? undefined }
  if (payment.kind === 'credit') return { formula: cardFormulas.creditFollowUp, values }
  return { formula: cardFormulas.followUp, values: { ...values, email: payment.payerEmail ?? undefined } }
}
