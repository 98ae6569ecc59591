/**
 * Cascading: what follows a declined attempt. Chapter 10 §6.2, chapter 50 §4.
 *
 * The next MID is tried when another acquirer may well say yes and the money has certainly not moved. What is deliberately not here:
 * outcomes that are not known, which are no declines; the schemes' budgets and the limits of MIDs, which only the attempt's own write
 * can judge (`budget.ts`); and whether the means of a payment may be sent anew, which the caller knows.
 */
import type { DeclineClass } from '../payment/payment.ts'

export interface Cascade {
  /** Attempts made so far, the declined one among them. */
  readonly attempts: number
  readonly maximum: number
  /** MIDs of the route's order that were not tried yet. */
  readonly midsLeft: number
  /** The payer is there, an MPI service is, and nobody has authenticated him yet. */
  readonly mayAuthenticate: boolean
}

/** `next-mid`: the same charge elsewhere. `step-up`: the same MID once more, with 3-D Secure. */
export type Following = 'end' | 'next-mid' | 'step-up'

export function following(declineClass: DeclineClass, cascade: Cascade): Following {
  const { attempts, maximum, midsLeft, mayAuthenticate } = cascade
  const answer = answers[declineClass]
  if (answer === 'end' || attempts >= maximum) return 'end'
  if (answer === 'step-up' && mayAuthenticate) return 'step-up'
  return midsLeft > 0 ? 'next-mid' : 'end'
}

/**
 * Hard are hard ones and suspected fraud, soft all the others (chapter 10 §6.2), those that no table of the acquirer explains among them:
 * the acquirer has said no, only not why. A demand for authentication that cannot be met here may be none elsewhere.
 */
// biome-ignore format: a table is read in columns.
const answers: Readonly<Record<DeclineClass, Following>> = {
  soft:                    'next-mid',
  technical:               'next-mid',
  authentication_required: 'step-up',
  hard:                    'end',
  fraud:                   'end',
  unknown:                 'next-mid',
}
