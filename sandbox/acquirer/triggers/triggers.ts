/**
 * The outcomes of test cards: the table of chapter 10 §12, row by row in its order.
 *
 * Number and expiry of the first step select the row, which also applies to all later operations of that payment. Rows with a payer step
 * have their final outcome at once if the request excludes a payer step.
 */
import {
  approval,
  decline,
  declinedByProcessing,
  endlessPending,
  everyFollowUp,
  type Particulars,
  type PayerStep,
  pendingUntil,
  type Trigger,
  triggerOf,
  tryAgainLater,
  unseenApproval,
  type Verdict,
  waitingUntil,
} from '../verdict.ts'

export function triggerFor(number: string, expiry: string): Trigger {
  return (testCards.includes(number) && byExpiry.get(expiry)) || otherwise
}

/** A payout has no expiry, so only the number decides. */
export function payoutVerdict(number: string): Verdict {
  return payouts.find(([card]) => card === number)?.[1] ?? declinedByProcessing
}

/** Includes cards that only accept payouts. */
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
  // expiry    payer step       SALE … CARD2CARD later
  [ '01/2038', 'none',         approval ],
  [ '02/2038', 'none',         declinedByProcessing ],
  [ '03/2038', 'none',         approval,       { capture: declinedByProcessing } ],
  [ '04/2038', 'none',         pendingUntil(approval) ],
  [ '05/2038', '3ds',          approval ],
  [ '06/2038', '3ds',          declinedByProcessing ],
  [ '07/2038', 'none',         pendingUntil(declinedByProcessing) ],
  [ '08/2038', 'none',         tryAgainLater ],
  [ '09/2038', 'none',         decline('hard', 'Stolen card') ],
  [ '10/2038', 'none',         decline('soft', 'Insufficient funds') ],
  [ '11/2038', 'none',         approval,       { answerFault: 'late' } ],
  [ '12/2038', 'redirect',     approval ],
  [ '12/2039', 'redirect',     declinedByProcessing ],
  [ '01/2039', 'none',         approval,       { recurring: tryAgainLater, retry: approval } ],
  [ '02/2039', 'none',         approval,       { recurring: declinedByProcessing, retry: declinedByProcessing } ],
  [ '03/2039', 'none',         approval,       { recurring: tryAgainLater, retry: tryAgainLater } ],
  [ '04/2039', 'none',         approval,       { creditvoid: declinedByProcessing } ],
  [ '05/2039', 'none',         approval,       { void: declinedByProcessing } ],
  [ '06/2039', 'none',         unseenApproval, { answerFault: 'link-drops' } ],
  [ '07/2039', 'none',         approval,       { answerFault: 'drop-answer' } ],
  [ '08/2039', 'none',         endlessPending ],
  [ '09/2039', 'none',         approval,       { creditvoid: waitingUntil(approval) } ],
  [ '10/2039', 'none',         approval,       everyFollowUp(pendingUntil(approval)) ],
  [ '11/2039', 'none',         approval,       everyFollowUp(pendingUntil(declinedByProcessing)) ],
  [ '01/2040', 'frictionless', approval ],
  [ '02/2040', '3ds',          pendingUntil(approval) ],
  [ '03/2040', 'none',         approval,       { onFirstMid: tryAgainLater } ],
  [ '04/2040', 'none',         approval,       { chargeback: '1212 Fraud' } ],
  // Our addition: the chapter defines the exchange attributes, but no card that causes them.
  [ '11/2040', 'none',         approval,       { exchange: 'single' } ],
  [ '12/2040', 'none',         approval,       { exchange: 'double' } ],
]

// biome-ignore format: a table is read in columns.
export const payouts: readonly (readonly [number: string, verdict: Verdict])[] = [
  // recipient's card    CREDIT2CARD
  [ '4601541833776519',  approval          ],
  [ '4111111111111111',  approval          ],
  [ '4917484589897107',  declinedByProcessing          ],
  [ '4000000000000002',  pendingUntil(approval) ],
]

export const triggers: readonly Trigger[] = rows.map((row) => triggerOf(...row))

/** Any other number or expiry. */
export const otherwise: Trigger = triggerOf('other', 'none', declinedByProcessing)

const byExpiry = new Map(triggers.map((trigger) => [trigger.key, trigger]))
