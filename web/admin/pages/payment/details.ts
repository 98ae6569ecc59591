/** What is known of a payment, as the page reads it. */
import type { Answer } from '../../api/call.ts'

export type Details = Answer<'GET /merchants/:merchantId/payments/:paymentId'>
export type Payment = Details['payment']
export type Offers = Details['offers']
export type Transaction = Details['timeline'][number]
export type WalletFacts = NonNullable<Details['walletFacts']>
export type CheckRecord = WalletFacts['checks']

export const placeOf = ({ merchantId, id }: Pick<Payment, 'merchantId' | 'id'>) => ({ merchantId, paymentId: id })

export const pathOf = ({ merchantId, id }: Pick<Payment, 'merchantId' | 'id'>): string =>
  `/merchants/${merchantId}/payments/${id}`

/** What a refund may give back at most: all of the hold, or what was captured and not yet refunded. */
export function refundableOf({ authorisedMinor, capturedMinor, refundedMinor, chargedBackMinor }: Payment): bigint {
  const captured = BigInt(capturedMinor)
  return captured === 0n ? BigInt(authorisedMinor) : captured - BigInt(refundedMinor) - BigInt(chargedBackMinor)
}

/** A hold is released whole, which is no refund to the payer. */
export const isRelease = ({ status }: Pick<Payment, 'status'>): boolean => status === 'PENDING'

/** Whether a second person has to allow it: what was given back before counts too, so that many small ones are no way around. */
export function needsSecondPerson(payment: Payment, { refundLimitMinor }: Offers, minor: bigint): boolean {
  return refundLimitMinor !== null && BigInt(payment.refundedMinor) + minor > BigInt(refundLimitMinor)
}
