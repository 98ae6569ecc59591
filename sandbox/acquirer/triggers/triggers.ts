/**
 * Which test card gives which outcome: chapter 10 §12, row by row and in its order.
 *
 * Number and expiry of the first step choose the row; it then governs every later operation of that payment. The rows that
 * need a payer step give their final outcome at once when the request rules such a step out.
 */
import {
  approved,
  decline,
  declined,
  everyFollowUp,
  type Particulars,
  type PayerStep,
  pending,
  type Trigger,
  triggerOf,
  tryAgainLater,
  undecided,
  unseen,
  type Verdict,
  waiting,
} from '../verdict.ts'

export function triggerFor(number: string, expiry: string): Trigger {
  return (testCards.includes(number) && byExpiry.get(expiry)) || otherwise
}

/** A payout knows no expiry, so the number alone decides. */
export function payoutVerdict(number: string): Verdict {
  return payouts.find(([card]) => card === number)?.[1] ?? declined
}

/** Also of cards that only take payouts. */
export function isTestCard(number: string): boolean {
  return testCards.includes(number) || payouts.some(([card]) => card === number)
}

export const testCards: readonly string[] = [
  '4111111111111111',
  '4601541833776519',
  '5555555555554444',
  '378282246310005',
]

type Row = readonly [expiry: string, payerStep: PayerStep, first: Verdict, more?: Particulars]

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
  // Ours: the chapter names the exchange attributes and no card that brings them about.
  [ '11/2040', 'none',          approved,                               { exchange: 'single' } ],
  [ '12/2040', 'none',          approved,                               { exchange: 'double' } ],
]

// biome-ignore format: a table is read in columns.
export const payouts: readonly (readonly [number: string, verdict: Verdict])[] = [
  // recipient's card    CREDIT2CARD
  [ '4601541833776519',  approved          ],
  [ '4111111111111111',  approved          ],
  [ '4917484589897107',  declined          ],
  [ '4000000000000002',  pending(approved) ],
]

export const triggers: readonly Trigger[] = rows.map((row) => triggerOf(...row))

/** Any other number or expiry. */
export const otherwise: Trigger = triggerOf('other', 'none', declined)

const byExpiry = new Map(triggers.map((trigger) => [trigger.key, trigger]))
