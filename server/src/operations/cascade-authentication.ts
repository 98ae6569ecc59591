/** Step-up: an attempt that the issuer wants authenticated is repeated with 3-D Secure, once. Chapter 50 §4. */
import type { PaymentRecord } from '../records.ts'
import type { Authentication, Mpi } from '../three-ds/mpi.ts'
import { mpiFor } from './authenticate.ts'
import type { ChargeData } from './charge.ts'
import type { Deps } from './deps.ts'
import { threeDsReturnUrl } from './return-url.ts'

/** An attempt that was authenticated, by us or by the merchant, is not authenticated again. */
export const mayAuthenticate = (deps: Deps, payment: PaymentRecord, data: ChargeData): boolean =>
  payment.facts.threeDs === undefined && mpiOf(deps, payment, data) !== null

/** Null when it would prove nothing, or nobody answers: then the same charge would be declined once more. */
export async function stepUp(
  deps: Deps,
  payment: PaymentRecord,
  data: ChargeData,
): Promise<Exclude<Authentication, { result: 'not-needed' | 'unavailable' }> | null> {
  const mpi = mpiOf(deps, payment, data)
  if (!mpi || !data.card) return null
  const answer = await mpi.authenticate({
    paymentId: payment.id,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    card: data.card,
    payer: payment.payer,
    payerIp: payment.payerIp,
    returnUrl: threeDsReturnUrl(deps, payment),
    browser: payment.facts.browser ?? null,
    recurringInit: payment.facts.recurringInit ?? false,
    language: payment.language,
    merchantName: deps.configuration.merchant(payment.merchantId)?.title ?? '',
  })
  return answer.result === 'not-needed' || answer.result === 'unavailable' ? null : answer
}

/** What a rule says about 3-D Secure was said before the issuer demanded it. */
function mpiOf(deps: Deps, payment: PaymentRecord, { card, threeDs }: ChargeData): Mpi | null {
  const { merchantId, recurring, cardId, cardToken, facts } = payment
  const merchant = deps.configuration.merchant(merchantId)
  // A device's number brings its own proof. Chapter 40 §9.
  const isAuthenticable = card && cardId !== null && (!facts.wallet || facts.wallet.panType === 'FPAN')
  if (!merchant || recurring || !isAuthenticable) return null
  return mpiFor(deps, merchant, {
    moto: facts.motoType !== undefined && facts.motoType !== 'ecommerce',
    externalThreeDs: Boolean(threeDs),
    payerPresent: facts.payerPresent ?? true,
    withToken: cardToken !== null,
    hasReturn: facts.termUrl !== undefined,
    rule: null,
  })
}
