/** Whether a payer is to be authenticated by 3-D Secure, and what came of it. Chapter 10 §7.1.7, §7.1.8, §7.1.9, §8. */
import type { Merchant } from '#domain/merchant.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { StoredFacts } from '../records.ts'
import type { Authentication, Mpi } from '../three-ds/mpi.ts'
import type { Deps } from './deps.ts'

/** The merchant's MPI service, unless something about the payment keeps it from starting. */
export function mpiFor(
  { mpis }: Deps,
  merchant: Merchant,
  payment: { moto: boolean; externalThreeDs: boolean; payerPresent: boolean; withToken: boolean; hasReturn: boolean },
): Mpi | null {
  if (merchant.mpiService === 'none' || !payment.hasReturn) return null
  if (payment.moto || payment.externalThreeDs) return null
  // payer_present has an effect only with a saved card.
  if (payment.withToken && !payment.payerPresent) return null
  return mpis[merchant.mpiService]
}

/** What an authentication that ends or interrupts the payment is as an outcome of its 3DS transaction. */
export function outcomeOf(
  authentication: Exclude<Authentication, { result: 'not-needed' | 'authenticated' }>,
  collector: string,
): Outcome {
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

/** What is known of the authentication, to be kept with the payment. */
export const threeDsOf = (authentication: Authentication): Pick<StoredFacts, 'threeDs'> =>
  'facts' in authentication && authentication.facts ? { threeDs: authentication.facts } : {}
