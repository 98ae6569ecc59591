/**
 * Cascading: the next step after a declined attempt. Chapter 10 §6.2, chapter 50 §4.
 *
 * The next MID is tried when another acquirer may approve and the money has certainly not moved. What is deliberately not here:
 * unknown outcomes, which are not declines; retry budgets and limits of MIDs, which are checked when the attempt is written
 * (`budget.ts`); and whether the payment method may be sent again, which the caller knows.
 */
import type { DeclineClass } from '../payment/payment.ts'
import type { Ending, NoCascadeReason, NoStepUp } from './ending.ts'

export interface Cascade {
  /** MIDs tried so far, including that of the declined attempt. */
  readonly tried: number
  readonly maximum: number
  /** MIDs of the route's order that were not tried yet. */
  readonly midsLeft: number
  /** Why this payment may not go to another MID; null when it may. */
  readonly noCascadeBecause: NoCascadeReason | null
  readonly stepUp: 'possible' | NoStepUp
}

/** `next-mid`: the same charge elsewhere. `step-up`: the same MID once more, with 3-D Secure. */
export type CascadeStep = 'next-mid' | 'step-up' | Ending

/**
 * A step-up repeats the attempt at the same MID, so it does not count towards the maximum of MIDs. Chapter 50 §4.
 */
export function decideNextAttempt(declineClass: DeclineClass, cascade: Cascade): CascadeStep {
  const { tried, maximum, midsLeft, noCascadeBecause, stepUp } = cascade
  const answer = answers[declineClass]
  if (answer === 'end') return { reason: 'hard-decline', declineClass }
  if (answer === 'step-up' && stepUp === 'possible') return 'step-up'
  const wished = answer === 'step-up' && stepUp !== 'possible' ? { withoutStepUp: stepUp } : {}
  if (noCascadeBecause) return { reason: 'stays', because: noCascadeBecause, ...wished }
  if (midsLeft === 0) return { reason: 'no-mid-left', ...wished }
  return tried < maximum ? 'next-mid' : { reason: 'maximum-reached', maximum, ...wished }
}

/**
 * Hard declines and suspected fraud end the cascade; all others are soft (chapter 10 §6.2), including unexplained ones, because the
 * acquirer did decline. If the issuer demands authentication that this MID cannot provide, another MID is tried, where the issuer may not
 * demand it.
 */
// biome-ignore format: a table is read in columns.
const answers: Readonly<Record<DeclineClass, 'next-mid' | 'step-up' | 'end'>> = {
  soft:                    'next-mid',
  technical:               'next-mid',
  authentication_required: 'step-up',
  hard:                    'end',
  fraud:                   'end',
  unknown:                 'next-mid',
}
