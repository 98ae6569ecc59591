/** What follows a decline, as far as the payment's own record says. Chapter 50 §4. */
import { limits } from '#domain/limits.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'
import { type Cascade, type Following, following } from '#domain/routing/cascade.ts'
import type { PaymentRecord } from '../../contracts/records.ts'

export function followingDecline(
  { attempt, facts }: PaymentRecord,
  declineClass: DeclineClass,
  stepUp: Cascade['stepUp'],
): Following {
  const { maximum, left, stays = null } = facts.cascade ?? { maximum: limits.cascade.attempts, left: [] }
  // An attempt that was repeated at its MID has tried no further one.
  const tried = facts.stepUp === 'here' ? attempt - 1 : attempt
  return following(declineClass, { tried, maximum, midsLeft: left.length, stays, stepUp })
}
