/** Step-up: an attempt that the issuer wants authenticated is repeated with 3-D Secure, once. Chapter 50 §4. */

import type { Mid } from '#domain/mid.ts'
import { isMoto } from '#domain/payment/moto.ts'
import type { NoStepUp } from '#domain/routing/ending.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Authentication, Mpi } from '../../three-ds/mpi.ts'
import type { ChargeData } from '../exchange/charge.ts'
import type { Deps } from '../request/deps.ts'
import { askMpi, mpiFor } from './authenticate.ts'

/** An authentication that an attempt can use. */
export type StepUpAnswer = Exclude<Authentication, { result: 'not-needed' | 'unavailable' }>

/** True if a demand for 3-D Secure can be met; the MPI service is not asked yet. */
export function checkStepUp(deps: Deps, payment: PaymentRecord, data: ChargeData): 'possible' | NoStepUp {
  const prepared = prepareStepUp(deps, payment, data)
  return typeof prepared === 'string' ? prepared : 'possible'
}

/** Returns the reason if no proof can be obtained: repeating the charge without one would be declined again. */
export async function runStepUp(
  deps: Deps,
  payment: PaymentRecord,
  data: ChargeData,
): Promise<StepUpAnswer | NoStepUp> {
  const prepared = prepareStepUp(deps, payment, data)
  if (typeof prepared === 'string') return prepared
  const { browser = null, recurringInit = false } = payment.facts
  const answer = await askMpi(deps, prepared.mpi, { payment, card: prepared.card, browser, recurringInit })
  if (answer.result === 'not-needed') return 'not-taking-part'
  return answer.result === 'unavailable' ? 'no-answer' : answer
}

/** A proof is useful only if the connector can send it to the acquirer. */
export const takesProof = ({ acquirers }: Deps, { connector }: Mid): boolean =>
  acquirers.capabilities(connector).externalThreeDs

/** An attempt authenticated by us or by the merchant is not authenticated again, even if that yielded no proof. */
function prepareStepUp(
  deps: Deps,
  { merchantId, midId, recurring, cardId, facts, cardToken }: PaymentRecord,
  { card, threeDs }: ChargeData,
): { readonly mpi: Mpi; readonly card: NonNullable<ChargeData['card']> } | NoStepUp {
  if (facts.threeDs || facts.stepUp) return 'done-before'
  // A device's number brings its own proof. Chapter 40 §9.
  if (!card || cardId === null || (facts.wallet && facts.wallet.panType !== 'FPAN')) return 'no-number'
  const merchant = deps.configuration.merchant(merchantId)
  if (!merchant || merchant.mpiService === 'none') return 'no-service'
  const mid = midId === null ? null : deps.configuration.mid(midId)
  if (!mid || !takesProof(deps, mid)) return 'connector'
  if (recurring) return 'payer-absent'
  const mpi = mpiFor(deps, merchant, {
    moto: isMoto(facts.motoType),
    externalThreeDs: Boolean(threeDs),
    payerPresent: facts.payerPresent ?? true,
    withToken: cardToken !== null,
    hasReturn: facts.termUrl !== undefined,
    // The issuer's demand overrides the routing rule.
    rule: null,
  })
  return mpi ? { mpi, card } : 'payer-absent'
}
