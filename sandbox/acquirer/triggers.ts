/**
 * Which test card gives which outcome: chapter 10 §12, row by row and in its order.
 *
 * Number and expiry of the first step choose the row; it then governs every later operation of that payment. The rows that
 * need a payer step give their final outcome at once when the request rules such a step out.
 */
import type { DeclineClass } from './transaction.ts'

export interface Approved {
  readonly state: 'approved'
  /** Executed at once, yet seen by status queries only when an undecided one would be decided. */
  readonly unseen?: true
}

export interface Declined {
  readonly state: 'declined'
  readonly reason: string
  readonly declineClass: DeclineClass
}

/** Not decided now; `becomes` is what it is found to be later, null for one that is never decided. */
export interface Undecided {
  readonly state: 'pending' | 'waiting'
  readonly becomes: Approved | Declined | null
}

export type Verdict = Approved | Declined | Undecided

export type PayerStep = 'none' | 'frictionless' | '3ds' | 'redirect'

/** How the answer to the first step travels, when not in the ordinary way. */
export type Manner = 'late' | 'link-drops' | 'drop-answer'

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
  readonly manner?: Manner
  /** What the first MID that sees the order says instead. */
  readonly onFirstMid?: Verdict
  readonly later: Later
}

/** "Resolves": decided this long after the request, on the test clock. */
export const RESOLVES_AFTER_MS = 30_000
export const CHARGEBACK_AFTER_MS = 60_000
/** In real time, since it is the link that is slow and not the decision. */
export const LATE_ANSWER_MS = 5_000

export function triggerFor(number: string, expiry: string): Trigger {
  return (testCards.includes(number) && byKey.get(expiry)) || otherwise
}

/** A payout knows no expiry, so the number alone decides. */
export function payoutVerdict(number: string): Verdict {
  return payouts.find(([card]) => card === number)?.[1] ?? declined
}

/** The row that a payment began with; the journal keeps only its key. */
export function triggerByKey(key: string): Trigger {
  return byKey.get(key) ?? otherwise
}

export const authenticationRequired: Declined = {
  state: 'declined',
  reason: 'Authentication required',
  declineClass: 'authentication_required',
}

export const approved: Approved = { state: 'approved' }
export const undecided: Undecided = { state: 'pending', becomes: null }
export const tryAgainLater = decline('soft', 'Try again later')

const declined = decline('hard', 'Declined by processing')
const unseen: Approved = { state: 'approved', unseen: true }

function decline(declineClass: DeclineClass, reason: string): Declined {
  return { state: 'declined', reason, declineClass }
}

function pending(becomes: Approved | Declined): Undecided {
  return { state: 'pending', becomes }
}

function waiting(becomes: Approved | Declined): Undecided {
  return { state: 'waiting', becomes }
}

/** The same verdict on whatever follows the first step. */
function everyFollowUp(verdict: Verdict): Later {
  return { capture: verdict, creditvoid: verdict, void: verdict }
}

export const testCards: readonly string[] = [
  '4111111111111111',
  '4601541833776519',
  '5555555555554444',
  '378282246310005',
]

type Row = readonly [
  expiry: string,
  payerStep: PayerStep,
  first: Verdict,
  later?: Later & Pick<Trigger, 'manner' | 'onFirstMid'>,
]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // expiry    payer step       SALE, DEBIT, CARD2CARD                  later
  [ '01/2038', 'none',          approved ],
  [ '02/2038', 'none',          declined ],
  [ '03/2038', 'none',          approved,                               { capture: declined } ],
  [ '04/2038', 'none',          pending(approved) ],
  [ '05/2038', '3ds',           approved ],
  [ '06/2038', '3ds',           declined ],
  [ '07/2038', 'none',          pending(declined) ],
  [ '08/2038', 'none',          tryAgainLater ],
  [ '09/2038', 'none',          decline('hard', 'Stolen card') ],
  [ '10/2038', 'none',          decline('soft', 'Insufficient funds') ],
  [ '11/2038', 'none',          approved,                               { manner: 'late' } ],
  [ '12/2038', 'redirect',      approved ],
  [ '12/2039', 'redirect',      declined ],
  [ '01/2039', 'none',          approved,                               { recurring: tryAgainLater, retry: approved } ],
  [ '02/2039', 'none',          approved,                               { recurring: declined, retry: declined } ],
  [ '03/2039', 'none',          approved,                               { recurring: tryAgainLater, retry: tryAgainLater } ],
  [ '04/2039', 'none',          approved,                               { creditvoid: declined } ],
  [ '05/2039', 'none',          approved,                               { void: declined } ],
  [ '06/2039', 'none',          unseen,                                 { manner: 'link-drops' } ],
  [ '07/2039', 'none',          approved,                               { manner: 'drop-answer' } ],
  [ '08/2039', 'none',          undecided ],
  [ '09/2039', 'none',          approved,                               { creditvoid: waiting(approved) } ],
  [ '10/2039', 'none',          approved,                               everyFollowUp(pending(approved)) ],
  [ '11/2039', 'none',          approved,                               everyFollowUp(pending(declined)) ],
  [ '01/2040', 'frictionless',  approved ],
  [ '02/2040', '3ds',           pending(approved) ],
  [ '03/2040', 'none',          approved,                               { onFirstMid: tryAgainLater } ],
  [ '04/2040', 'none',          approved,                               { chargeback: '1212 Fraud' } ],
]

// biome-ignore format: a table is read in columns.
export const payouts: readonly (readonly [number: string, verdict: Verdict])[] = [
  // recipient's card    CREDIT2CARD
  [ '4601541833776519',  approved          ],
  [ '4111111111111111',  approved          ],
  [ '4917484589897107',  declined          ],
  [ '4000000000000002',  pending(approved) ],
]

export const triggers: readonly Trigger[] = rows.map(
  ([key, payerStep, first, { manner, onFirstMid, ...later } = {}]) => ({
    key,
    payerStep,
    first,
    later,
    ...(manner && { manner }),
    ...(onFirstMid && { onFirstMid }),
  }),
)

/** Any other number or expiry. */
const otherwise: Trigger = { key: 'other', payerStep: 'none', first: declined, later: {} }

const byKey = new Map(triggers.map((trigger) => [trigger.key, trigger]))
