/** Step-up: an attempt that the issuer wants authenticated is repeated with 3-D Secure, once. Chapter 50 §4. */

import type { Mid } from '#domain/mid.ts'
import { isMoto } from '#domain/payment/moto.ts'
import type { NoStepUp } from '#domain/routing/ending.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { Authentication, Mpi } from '../../three-ds/mpi.ts'
import type { ChargeData } from '../exchange/charge.ts'
import type { Deps } from '../request/deps.ts'
import { askMpi, mpiFor } from './authenticate.ts'

/** An answer that an attempt can be made with. */
export type StepUpAnswer = Exclude<Authentication, { result: 'not-needed' | 'unavailable' }>

/** Whether a demand for 3-D Secure can be met, before anybody was asked. */
export function checkStepUp(deps: Deps, payment: PaymentRecord, data: ChargeData): 'possible' | NoStepUp {
  const prepared = prepareStepUp(deps, payment, data)
  return typeof prepared === 'string' ? prepared : 'possible'
}

/** Answers why not when it would prove nothing, or nobody answers: then the same charge would be declined once more. */
export async function stepUp(deps: Deps, payment: PaymentRecord, data: ChargeData): Promise<StepUpAnswer | NoStepUp> {
  const prepared = prepareStepUp(deps, payment, data)
  if (typeof prepared === 'string') return prepared
  const { browser = null, recurringInit = false } = payment.facts
  const answer = await askMpi(deps, prepared.mpi, { payment, card: prepared.card, browser, recurringInit })
  if (answer.result === 'not-needed') return 'not-taking-part'
  return answer.result === 'unavailable' ? 'no-answer' : answer
}

/** What the issuer said is of use only where the acquirer can be told of it. */
export const takesProof = ({ acquirers }: Deps, { connector }: Mid): boolean =>
  acquirers.capabilities(connector).externalThreeDs

/** An attempt that was authenticated, by us or by the merchant, is not authenticated again, also where that came to no proof. */
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
    // What a rule says about 3-D Secure was said before the issuer demanded it.
    rule: null,
  })
  return mpi ? { mpi, card } : 'payer-absent'
}
