/** Decides whether a payer is authenticated by 3-D Secure, and settles the result. Chapter 10 §7.1.7, §7.1.8, §7.1.9, §8. */
import { errors } from '#domain/errors.ts'
import type { Merchant } from '#domain/merchant.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { CardData, Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, StoredFacts, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Authentication, Mpi } from '../../three-ds/mpi.ts'
import { collectorUrl, threeDsReturnUrl } from '../exchange/return-url.ts'
import { type PaymentWithTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import type { ChosenMid } from '../routing/choose-mid.ts'

interface AuthenticationInput {
  readonly moto: boolean
  readonly externalThreeDs: boolean
  readonly payerPresent: boolean
  readonly withToken: boolean
  readonly hasReturn: boolean
  /** The decision of the routing rules on 3-D Secure. */
  readonly rule: ChosenMid['threeDs']
}

/**
 * The merchant's MPI service, or null if the payment cannot be authenticated. A routing rule cannot require the
 * service for MOTO, with `mpi_data` or without the payer. If a rule requires 3-D Secure and no service can do it, the payment is refused.
 * Chapter 50 §3, filter 6.
 */
export function mpiFor({ mpis }: Deps, merchant: Merchant, payment: AuthenticationInput): Mpi | null {
  if (payment.moto || payment.externalThreeDs) return null
  // payer_present has an effect only with a saved card.
  if (payment.withToken && !payment.payerPresent) return null
  if (payment.rule === 'skip') return null
  const mpi = merchant.mpiService === 'none' || !payment.hasReturn ? null : mpis[merchant.mpiService]
  if (mpi === null && payment.rule === 'require') throw new RefusedError(errors.actionNotSupported)
  return mpi
}

interface MpiRequest {
  readonly payment: Pick<
    PaymentRecord,
    'merchantId' | 'id' | 'amountMinor' | 'currency' | 'payer' | 'payerIp' | 'language'
  >
  readonly card: CardData
  readonly browser: BrowserFacts | null
  readonly recurringInit: boolean
}

/** Asks the MPI service to authenticate the payer of a payment that may not be stored yet. */
export function askMpi(
  deps: Deps,
  mpi: Mpi,
  { payment, card, browser, recurringInit }: MpiRequest,
): Promise<Authentication> {
  const { merchantId, id: paymentId, amountMinor, currency, payer, payerIp, language } = payment
  return mpi.authenticate({
    paymentId,
    amountMinor,
    currency,
    card,
    payer,
    payerIp,
    returnUrl: threeDsReturnUrl(deps, payment),
    browser,
    recurringInit,
    language,
    merchantName: deps.configuration.merchant(merchantId)?.title ?? '',
  })
}

/** If a rule requires 3-D Secure, a charge without proof must not be made. */
export function enforceRule(authentication: Authentication, rule: ChosenMid['threeDs']): Authentication {
  if (authentication.result !== 'not-needed' || rule !== 'require') return authentication
  return { result: 'failed', reason: 'Authentication required', facts: authentication.facts ?? null }
}

type UnfinishedAuthentication = Exclude<Authentication, { result: 'not-needed' | 'authenticated' }>

/** Writes an authentication that ends or interrupts the payment. After a refusal by the issuer no other MID is tried. */
export function settleAuthentication(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  authentication: UnfinishedAuthentication,
): Promise<PaymentWithTransaction> {
  const because = authentication.result === 'unavailable' ? 'no-answer' : 'failed'
  const outcome = outcomeOf(authentication, collectorUrl(deps, payment))
  return settle(deps, { payment, transaction }, outcome, { ending: { reason: 'not-authenticated', because } })
}

function outcomeOf(authentication: UnfinishedAuthentication, collector: string): Outcome {
  switch (authentication.result) {
    case 'collect':
      return { result: 'payer-step', step: '3DS', url: collector, method: 'GET', params: {}, state: {}, facts: {} }
    case 'challenge': {
      const { url, method, params, state } = authentication
      return { result: 'payer-step', step: '3DS', url, method, params, state, facts: {} }
    }
    case 'failed':
      return { result: 'declined', reason: authentication.reason, declineClass: 'authentication_required', facts: {} }
    case 'unavailable':
      return { result: 'declined', reason: authentication.reason, declineClass: 'technical', facts: {} }
  }
}

/** The authentication's facts that are stored with the payment. */
export function threeDsOf(authentication: Authentication): Pick<StoredFacts, 'threeDs'> {
  switch (authentication.result) {
    case 'collect':
    case 'unavailable':
      return {}
    default:
      return authentication.facts ? { threeDs: authentication.facts } : {}
  }
}
