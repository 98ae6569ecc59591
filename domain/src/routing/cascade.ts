/**
 * Cascading: what follows a declined attempt. Chapter 10 §6.2, chapter 50 §4.
 *
 * The next MID is tried when another acquirer may well say yes and the money has certainly not moved. What is deliberately not here:
 * outcomes that are not known, which are no declines; the schemes' budgets and the limits of MIDs, which only the attempt's own write
 * can judge (`budget.ts`); and whether the means of a payment may be sent anew, which the caller knows.
 */
import type { DeclineClass } from '../payment/payment.ts'
import type { Ending, NoStepUp, Stays } from './ending.ts'

export interface Cascade {
  /** MIDs tried so far, that of the declined attempt among them. */
  readonly tried: number
  readonly maximum: number
  /** MIDs of the route's order that were not tried yet. */
  readonly midsLeft: number
  /** Why other MIDs are none of this payment's; null where they are. */
  readonly stays: Stays | null
  readonly stepUp: 'possible' | NoStepUp
}

/** `next-mid`: the same charge elsewhere. `step-up`: the same MID once more, with 3-D Secure. */
export type Following = 'next-mid' | 'step-up' | Ending

/**
 * A step-up repeats an attempt and tries no further MID: it neither needs one, nor counts in their maximum, nor cascades. Chapter 50 §4.
 */
export function following(declineClass: DeclineClass, cascade: Cascade): Following {
  const { tried, maximum, midsLeft, stays, stepUp } = cascade
  const answer = answers[declineClass]
  if (answer === 'end') return { reason: 'hard-decline', declineClass }
  if (answer === 'step-up' && stepUp === 'possible') return 'step-up'
  const wished = answer === 'step-up' && stepUp !== 'possible' ? { withoutStepUp: stepUp } : {}
  if (stays) return { reason: 'stays', because: stays, ...wished }
  if (midsLeft === 0) return { reason: 'no-mid-left', ...wished }
  return tried < maximum ? 'next-mid' : { reason: 'maximum-reached', maximum, ...wished }
}

/**
 * Hard are hard ones and suspected fraud, soft all the others (chapter 10 §6.2), those that no table of the acquirer explains among them:
 * the acquirer has said no, only not why. A demand for authentication that cannot be met here may be none elsewhere.
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
