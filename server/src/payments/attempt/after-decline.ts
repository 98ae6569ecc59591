/** Decides from the payment's record whether another attempt follows a decline. Chapter 50 §4. */
import { limits } from '#domain/limits.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'
import { type Cascade, type CascadeStep, decideNextAttempt } from '#domain/routing/cascade.ts'
import type { PaymentRecord } from '../../contracts/records.ts'

export function decideAfterDecline(
  { attempt, facts }: PaymentRecord,
  declineClass: DeclineClass,
  stepUp: Cascade['stepUp'],
): CascadeStep {
  const { maximum, left, stays = null } = facts.cascade ?? { maximum: limits.cascade.attempts, left: [] }
  // A step-up repeats the same MID and does not count as another one.
  const tried = facts.stepUp === 'here' ? attempt - 1 : attempt
  return decideNextAttempt(declineClass, { tried, maximum, midsLeft: left.length, noCascadeBecause: stays, stepUp })
}
