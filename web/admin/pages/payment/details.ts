/** A payment with its details, as the API returns it. */
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

/** The most that can be refunded: the whole hold, or what was captured and not yet refunded. */
export function refundableOf({ authorisedMinor, capturedMinor, refundedMinor, chargedBackMinor }: Payment): bigint {
  const captured = BigInt(capturedMinor)
  return captured === 0n ? BigInt(authorisedMinor) : captured - BigInt(refundedMinor) - BigInt(chargedBackMinor)
}

/** A hold is released as a whole, which is not a refund. */
export const isRelease = ({ status }: Pick<Payment, 'status'>): boolean => status === 'PENDING'

/** Earlier refunds count as well, so that several small refunds cannot bypass the limit. */
export function needsSecondPerson(payment: Payment, { refundLimitMinor }: Offers, minor: bigint): boolean {
  return refundLimitMinor !== null && BigInt(payment.refundedMinor) + minor > BigInt(refundLimitMinor)
}
