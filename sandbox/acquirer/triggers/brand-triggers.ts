/**
 * What becomes of a brand's payment: chapter 20 §18, both of its tables, row by row and in their order.
 *
 * The text before `@` of the identifier chooses the row; without a listed one the brand's behaviour does. The row then governs every
 * later operation of that payment.
 */
import type { BrandMethod } from '../payment-method.ts'
import {
  approved,
  declined,
  type Particulars,
  type PayerStep,
  pending,
  type Trigger,
  triggerOf,
  tryAgainLater,
  type Verdict,
  waiting,
} from '../verdict.ts'

/** Undefined for an identifier that names no row. */
export function identifierTrigger(identifier: string | null): Trigger | undefined {
  const [before = '', ...domain] = (identifier ?? '').split('@')
  return domain.length > 0 ? byIdentifier.get(before) : undefined
}

export function behaviourTrigger({ behaviour, kind }: BrandMethod): Trigger {
  return byBehaviour.get(behaviour ?? kind) ?? byBehaviour.get(kind) ?? ordinary
}

/** A payout names nobody but its recipient, so that a word of his is what chooses. */
export function brandPayoutVerdict({ kind, parameters }: BrandMethod): Verdict {
  const crypto = kind === 'crypto'
  const recipients = [parameters.account_holder, parameters.address].filter((value) => typeof value === 'string')
  const begins = (word: string): boolean => recipients.some((recipient) => recipient.startsWith(word))
  if (begins('FAIL')) return declined
  if (begins('WAIT')) return crypto ? waiting(approved) : pending(approved)
  // Chapter 20 §11: a chain takes the order and reports afterwards, however soon that is.
  return crypto ? waiting(approved, 0) : approved
}

/** How long a payer takes to approve in an app of his own. */
const APPROVES_AFTER_MS = 5_000

type Row = readonly [name: string, payerStep: PayerStep, first: Verdict, more?: Particulars]

// biome-ignore format: a table is read in columns.
const identifiers: readonly Row[] = [
  // trigger            payer step    SALE                later
  [ 'success',          'none',       approved ],
  [ 'fail',             'none',       declined ],
  [ 'redirect',         'redirect',   approved ],
  [ 'redirect-fail',    'redirect',   declined ],
  [ 'undefined',        'none',       pending(approved) ],
  [ 'undefined-fail',   'none',       pending(declined) ],
  [ 'soft-decline',     'none',       approved,           { onFirstMid: tryAgainLater } ],
  [ 'lost-reply',       'none',       approved,           { manner: 'link-drops' } ],
  [ 'refund-fail',      'none',       approved,           { creditvoid: declined } ],
  [ 'refund-wait',      'none',       approved,           { creditvoid: waiting(approved) } ],
  [ 'capture-fail',     'none',       approved,           { capture: declined } ],
  [ 'void-fail',        'none',       approved,           { void: declined } ],
  [ 'chargeback',       'none',       approved,           { chargeback: '1212 Fraud' } ],
  // Double, so that a callback shows every exchange attribute there is.
  [ 'exchange',         'none',       approved,           { exchange: 'double' } ],
]

// biome-ignore format: a table is read in columns.
const behaviours: readonly Row[] = [
  // kind               payer step    without trigger
  [ 'direct',           'none',       approved ],
  [ 'approval',         'none',       pending(approved, APPROVES_AFTER_MS) ],
  [ 'redirect',         'redirect',   approved ],
  [ 'crypto',           'money',      approved ],
  [ 'voucher',          'money',      approved ],
  [ 'wallet',           'none',       approved ],
  [ 'debit',            'none',       approved ],
  [ 'payout',           'none',       approved ],
]

// A prefix keeps the keys of the tables apart: the journal holds only the key.
export const identifierTriggers = keyed('identifier', identifiers)
export const behaviourTriggers = keyed('kind', behaviours)

const byIdentifier = named(identifiers, identifierTriggers)
const byBehaviour = named(behaviours, behaviourTriggers)
const ordinary = triggerOf('kind other', 'none', approved)

function keyed(prefix: string, rows: readonly Row[]): readonly Trigger[] {
  return rows.map(([name, ...rest]) => triggerOf(`${prefix} ${name}`, ...rest))
}

function named(rows: readonly Row[], triggers: readonly Trigger[]): ReadonlyMap<string, Trigger> {
  return new Map(triggers.map((trigger, index) => [rows[index]?.[0] ?? '', trigger]))
}
