/**
 * Cascading: an attempt that another acquirer may approve is made once more, as a payment of its own. Chapter 10 §6.2, chapter 50 §4.
 *
 * The decline says durably that the cascade goes on, and the next attempt's intent takes that back in the statement that writes it. So
 * whatever becomes of this process in between, either the next attempt exists or somebody ends the cascade, and the merchant is told
 * of exactly one end. Only here a cascade goes on: what the reconciler finds out about an attempt was unknown before, and is final.
 */
import { limits } from '#domain/limits.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import { type Following, following } from '#domain/routing/cascade.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../records.ts'
import { mayAuthenticate } from './cascade-authentication.ts'
import { endCascade } from './cascade-end.ts'
import { nextAttempt } from './cascade-next.ts'
import type { ChargeData } from './charge.ts'
import type { Deps } from './deps.ts'
import { type Performed, settle } from './perform.ts'

/** Settles the outcome of a charge and goes on as long as the rules say so. `data` is what was charged; null when it is not at hand. */
export async function settleAttempt(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
  data: ChargeData | null,
): Promise<Performed> {
  const follows = followingOf(deps, payment, transaction, outcome, data)
  const performed = await settle(deps, payment, transaction, outcome, { goesOn: follows !== 'end' })
  if (data === null || follows === 'end' || performed.payment.cascading !== 'continues') return performed
  // A network has seen nothing of what was not executed, and counts only what it has seen.
  const isTry = outcome.result === 'declined'
  const next = await nextAttempt(deps, performed.payment, data, { follows, isTry })
  if (!next) return endCascade(deps, performed.payment)
  return 'performed' in next
    ? next.performed
    : settleAttempt(deps, next.payment, next.transaction, next.outcome, next.data)
}

/**
 * Whether an attempt with this outcome could be followed by another when the payer is back, so that it pays to fetch what that one
 * needs. The proof of an authentication was in memory only, and a charge without it is another charge.
 */
export const mayBeFollowed = ({ facts }: PaymentRecord, outcome: Outcome): boolean =>
  facts.cascade !== undefined &&
  facts.threeDs === undefined &&
  (outcome.result === 'declined' || outcome.result === 'not-executed')

function followingOf(
  deps: Deps,
  payment: PaymentRecord,
  { type }: TransactionRecord,
  outcome: Outcome,
  data: ChargeData | null,
): Following {
  if (data === null || !firstStepTypes.includes(type) || type === 'RETRY') return 'end'
  if (outcome.result !== 'declined' && outcome.result !== 'not-executed') return 'end'
  const { maximum, left } = payment.facts.cascade ?? { maximum: limits.cascade.attempts, left: [] }
  return following(outcome.result === 'declined' ? outcome.declineClass : 'technical', {
    attempts: payment.attempt,
    maximum,
    midsLeft: left.length,
    mayAuthenticate: mayAuthenticate(deps, payment, data),
  })
}
