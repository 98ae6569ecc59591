/**
 * Cascading: a declined attempt that another acquirer may approve is repeated as a payment of its own. Chapter 10 §6.2, chapter 50 §4.
 *
 * The declined row is marked `continues`; inserting the next attempt clears the mark. If the process dies in between, a worker ends the
 * cascade, so that the merchant gets exactly one final callback. Only this file continues a cascade: a decline that the reconciler finds is
 * final.
 */
import { hasProof } from '#domain/payment/facts.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { CascadeStep } from '#domain/routing/cascade.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { ChargeData } from '../exchange/charge.ts'
import { type PaymentWithTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { decideAfterDecline } from './after-decline.ts'
import { checkStepUp } from './cascade-authentication.ts'
import { endCascade } from './cascade-end.ts'
import { makeNextAttempt } from './cascade-next.ts'

/** Settles the outcome of a charge and makes further attempts as long as the rules allow. `data` is null if it is no longer available. */
export async function settleAttempt(
  deps: Deps,
  attempt: PaymentWithTransaction,
  outcome: Outcome,
  data: ChargeData | null,
): Promise<PaymentWithTransaction> {
  const follows = followingOf(deps, attempt, outcome, data)
  const ends = follows !== null && typeof follows !== 'string'
  const after = ends ? { ending: follows } : { goesOn: follows !== null }
  const result = await settle(deps, attempt, outcome, after)
  if (data === null || follows === null || ends || result.payment.cascading !== 'continues') return result
  // The card network counts only declined charges, because it never saw a charge that was not executed.
  const isTry = outcome.result === 'declined'
  const next = await makeNextAttempt(deps, result.payment, data, { follows, isTry })
  switch (next.kind) {
    case 'ended':
      return endCascade(deps, result.payment, next.ending)
    case 'authentication':
      return next.result
    case 'charge':
      return settleAttempt(deps, next, next.outcome, next.data)
  }
}

/**
 * Whether another attempt may follow this outcome after the payer has returned, so that its data has to be read. A payment with a proof
 * of authentication is excluded: the proof was in memory only, and a charge without it is a different charge.
 */
export function mayBeFollowed({ facts }: PaymentRecord, outcome: Outcome): boolean {
  if (hasProof(facts.threeDs)) return false
  if (outcome.result === 'declined' && outcome.declineClass === 'authentication_required') return true
  return hasNotCharged(outcome) && (facts.cascade?.left.length ?? 0) > 0
}

/** Only then may another MID charge the payer. */
function hasNotCharged(outcome: Outcome): outcome is Extract<Outcome, { result: 'declined' | 'not-executed' }> {
  switch (outcome.result) {
    case 'declined':
    case 'not-executed':
      return true
    case 'approved':
    case 'waiting':
    case 'payer-step':
    case 'unknown':
      return false
  }
}

/** Null unless a first step was declined. */
function followingOf(
  deps: Deps,
  { payment, transaction: { type } }: PaymentWithTransaction,
  outcome: Outcome,
  data: ChargeData | null,
): CascadeStep | null {
  if (!firstStepTypes.includes(type) || type === 'RETRY') return null
  if (!hasNotCharged(outcome)) return null
  if (payment.routing?.declined) return { reason: 'declined-by-rule' }
  const declineClass = outcome.result === 'declined' ? outcome.declineClass : 'technical'
  const isProved = hasProof(payment.facts.threeDs)
  if (data) return decideAfterDecline(payment, declineClass, checkStepUp(deps, payment, data))
  const follows = decideAfterDecline(payment, declineClass, isProved ? 'done-before' : 'data-gone')
  return typeof follows === 'string' ? { reason: isProved ? 'proof-gone' : 'data-gone' } : follows
}
