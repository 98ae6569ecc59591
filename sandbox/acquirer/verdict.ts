/** The outcomes of a transaction, and the type of a row in the tables that select them: test cards, identifiers, brands, wallet cards. */
import type { DeclineClass } from './transaction.ts'

export interface Approval {
  readonly kind: 'decided'
  readonly state: 'approved'
  /** Executed at once, but status queries show it only after the time of a pending decision. */
  readonly unseen?: true
}

export interface Decline {
  readonly kind: 'decided'
  readonly state: 'declined'
  readonly reason: string
  readonly declineClass: DeclineClass
}

/** Decided later as `becomes`; null if it is never decided. */
interface PendingVerdict {
  readonly kind: 'undecided'
  readonly state: 'pending' | 'waiting'
  readonly becomes: Approval | Decline | null
  /** On the test clock. */
  readonly afterMs: number
}

export type Verdict = Approval | Decline | PendingVerdict

/** `money`: the payer pays later, to a crypto address or with a voucher. */
export type PayerStep = 'none' | 'frictionless' | '3ds' | 'redirect' | 'money'

/** A fault in the delivery of the answer to the first step. */
type AnswerFault = 'late' | 'link-drops' | 'drop-answer'

export interface Later {
  readonly capture?: Verdict
  /** Refund, and release of a hold. */
  readonly creditvoid?: Verdict
  readonly void?: Verdict
  readonly recurring?: Verdict
  /** The next attempt at a recurring payment that was declined. */
  readonly retry?: Verdict
  readonly chargeback?: string
}

export interface Trigger {
  readonly key: string
  readonly payerStep: PayerStep
  readonly first: Verdict
  readonly answerFault?: AnswerFault
  /** The different verdict at the first MID that gets the order. */
  readonly onFirstMid?: Verdict
  /** The money is exchanged on its way: into the currency of settlement at once, or over a third one. */
  readonly exchange?: 'single' | 'double'
  readonly later: Later
}

/** The optional columns of a row. */
export type Particulars = Later & Pick<Trigger, 'answerFault' | 'onFirstMid' | 'exchange'>

export function triggerOf(
  key: string,
  payerStep: PayerStep,
  first: Verdict,
  { answerFault, onFirstMid, exchange, ...later }: Particulars = {},
): Trigger {
  return {
    key,
    payerStep,
    first,
    later,
    ...(answerFault && { answerFault }),
    ...(onFirstMid && { onFirstMid }),
    ...(exchange && { exchange }),
  }
}

/** "Resolves": decided this long after the request, on the test clock. */
export const RESOLVES_AFTER_MS = 30_000
export const CHARGEBACK_AFTER_MS = 60_000
/** In real time, since it is the link that is slow and not the decision. */
export const LATE_ANSWER_MS = 5_000

export const approval: Approval = { kind: 'decided', state: 'approved' }
export const unseenApproval: Approval = { kind: 'decided', state: 'approved', unseen: true }
export const endlessPending: PendingVerdict = {
  kind: 'undecided',
  state: 'pending',
  becomes: null,
  afterMs: RESOLVES_AFTER_MS,
}
export const declinedByProcessing = decline('hard', 'Declined by processing')
export const tryAgainLater = decline('soft', 'Try again later')
export const authenticationRequired = decline('authentication_required', 'Authentication required')

/** A hard decline, because no other MID may be tried after the payer refused. */
export const cancelledByPayer = decline('hard', 'Cancelled by payer')
export const declinedAsExpired = decline('hard', 'Expired')
export const amountMismatch = decline('hard', 'Amount mismatch')

export function decline(declineClass: DeclineClass, reason: string): Decline {
  return { kind: 'decided', state: 'declined', reason, declineClass }
}

export function pendingUntil(becomes: Approval | Decline, afterMs = RESOLVES_AFTER_MS): PendingVerdict {
  return { kind: 'undecided', state: 'pending', becomes, afterMs }
}

export function waitingUntil(becomes: Approval | Decline, afterMs = RESOLVES_AFTER_MS): PendingVerdict {
  return { kind: 'undecided', state: 'waiting', becomes, afterMs }
}

/** The same verdict for every follow-up. */
export function everyFollowUp(verdict: Verdict): Later {
  return { capture: verdict, creditvoid: verdict, void: verdict }
}
