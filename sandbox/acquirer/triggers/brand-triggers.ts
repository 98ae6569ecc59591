/**
 * The outcomes of brand payments: both tables of chapter 20 §18, row by row in their order.
 *
 * The text before `@` in the identifier selects the row, or else the brand's behaviour does. The row also applies to all later operations
 * of that payment.
 */
import type { BrandMethod } from '../payment-method.ts'
import {
  approval,
  declinedByProcessing,
  type Particulars,
  type PayerStep,
  pendingUntil,
  type Trigger,
  triggerOf,
  tryAgainLater,
  type Verdict,
  waitingUntil,
} from '../verdict.ts'

/** Undefined for an identifier that names no row. */
export function identifierTrigger(identifier: string | null): Trigger | undefined {
  const [before = '', ...domain] = (identifier ?? '').split('@')
  return domain.length > 0 ? byIdentifier.get(before) : undefined
}

export function behaviourTrigger({ behaviour, kind }: BrandMethod): Trigger {
  return byBehaviour.get(behaviour ?? kind) ?? byBehaviour.get(kind) ?? ordinary
}

/** A payout has no payer, so a word of its recipient's data selects the outcome. Deployed clients put it into an e-mail address. */
export function brandPayoutVerdict({ kind, parameters }: BrandMethod): Verdict {
  const crypto = kind === 'crypto'
  const emails = [parameters.email, parameters.payee_email].filter((value) => typeof value === 'string')
  if (emails.some((email) => email.startsWith('fail@'))) return declinedByProcessing
  const recipients = [parameters.account_holder, parameters.address].filter((value) => typeof value === 'string')
  const begins = (word: string): boolean => recipients.some((recipient) => recipient.startsWith(word))
  if (begins('FAIL')) return declinedByProcessing
  if (begins('WAIT')) return crypto ? waitingUntil(approval) : pendingUntil(approval)
  // Chapter 20 §11: a crypto payout is accepted first and reported later.
  return crypto ? waitingUntil(approval, 0) : approval
}

/** The time that a payer takes to approve in an app. */
const APPROVES_AFTER_MS = 5_000

type Row = readonly [name: string, payerStep: PayerStep, first: Verdict, more?: Particulars]

// biome-ignore format: a table is read in columns.
const identifiers: readonly Row[] = [
  // trigger          payer step  SALE      later
  [ 'success',        'none',     approval ],
  [ 'fail',           'none',     declinedByProcessing ],
  [ 'redirect',       'redirect', approval ],
  [ 'redirect-fail',  'redirect', declinedByProcessing ],
  [ 'undefined',      'none',     pendingUntil(approval) ],
  [ 'undefined-fail', 'none',     pendingUntil(declinedByProcessing) ],
  [ 'soft-decline',   'none',     approval, { onFirstMid: tryAgainLater } ],
  [ 'lost-reply',     'none',     approval, { answerFault: 'link-drops' } ],
  [ 'refund-fail',    'none',     approval, { creditvoid: declinedByProcessing } ],
  [ 'refund-wait',    'none',     approval, { creditvoid: waitingUntil(approval) } ],
  [ 'capture-fail',   'none',     approval, { capture: declinedByProcessing } ],
  [ 'void-fail',      'none',     approval, { void: declinedByProcessing } ],
  [ 'chargeback',     'none',     approval, { chargeback: '1212 Fraud' } ],
  // Double, so that a callback shows every exchange attribute there is.
  [ 'exchange',       'none',     approval, { exchange: 'double' } ],
]

// biome-ignore format: a table is read in columns.
const behaviours: readonly Row[] = [
  // kind               payer step    without trigger
  [ 'direct',           'none',       approval ],
  [ 'approval',         'none',       pendingUntil(approval, APPROVES_AFTER_MS) ],
  [ 'redirect',         'redirect',   approval ],
  [ 'crypto',           'money',      approval ],
  [ 'voucher',          'money',      approval ],
  [ 'wallet',           'none',       approval ],
  [ 'debit',            'none',       approval ],
  [ 'payout',           'none',       approval ],
]

// A prefix keeps the keys of the tables apart: the journal holds only the key.
export const identifierTriggers = triggersOf('identifier', identifiers)
export const behaviourTriggers = triggersOf('kind', behaviours)

const byIdentifier = triggersByName(identifiers, identifierTriggers)
const byBehaviour = triggersByName(behaviours, behaviourTriggers)
const ordinary = triggerOf('kind other', 'none', approval)

function triggersOf(prefix: string, rows: readonly Row[]): readonly Trigger[] {
  return rows.map(([name, ...rest]) => triggerOf(`${prefix} ${name}`, ...rest))
}

function triggersByName(rows: readonly Row[], triggers: readonly Trigger[]): ReadonlyMap<string, Trigger> {
  return new Map(triggers.map((trigger, index) => [rows[index]?.[0] ?? '', trigger]))
}
