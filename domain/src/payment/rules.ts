/**
 * The life of a payment as a table, in the columns of chapter 10 §6, so that one can be laid beside the other.
 *
 * `begin` rows are chosen by the command; the first row whose `from`, `kinds` and `when` fit decides. `end` rows are chosen by
 * the type of the transaction whose outcome arrived. What stands in no row is refused with the command's refusal.
 *
 * Deliberately not here: retries of an unknown outcome (the reconciler asks, it never sends again), cascading (each
 * attempt is a payment of its own), and anything that needs a look-up: the day and the amount come with the question.
 */
import { errors, type Refusal } from '../errors.ts'
import { isSoft, type Kind, left, type Payment, type Status, type TransactionType } from './payment.ts'

export type Command = 'CAPTURE' | 'CREDITVOID' | 'VOID' | 'RETRY'
export type FirstCommand =
  | 'SALE'
  | 'AUTH'
  | 'DEBIT'
  | 'CARD2CARD'
  | 'CREDIT2CARD'
  | 'RECURRING_SALE'
  | 'RECURRING_DEBIT'

export interface Ask {
  readonly amountMinor: bigint
  /** The financial day of the MID at this moment. */
  readonly today: string
  /** Whether the network's retry budget of the card has room; only RETRY asks. */
  readonly retryBudget: boolean
}

type Condition = (payment: Payment, ask: Ask) => boolean
type AmountRule = (payment: Payment, ask: Ask) => Refusal | null

const always: Condition = () => true
const tookMoney: Condition = (payment) => payment.capturedMinor > 0n
const moneyLeft: Condition = (payment) => left(payment) > 0n
const voidable: Condition = (payment, ask) =>
  payment.capturedMinor > 0n && payment.refundedMinor === 0n && payment.financialDay === ask.today
const retryable: Condition = (payment, ask) =>
  payment.recurring && payment.declineClass !== null && isSoft(payment.declineClass) && ask.retryBudget

const anyAmount: AmountRule = () => null
const upToHold: AmountRule = (payment, { amountMinor }) =>
  amountMinor > 0n && amountMinor <= payment.authorisedMinor ? null : errors.captureTooMuch
const wholeHold: AmountRule = (payment, { amountMinor }) => {
  if (amountMinor > payment.authorisedMinor) return errors.reversalTooMuch
  return amountMinor === payment.authorisedMinor ? null : errors.reversalPartial
}
const upToLeft =
  (refusal: Refusal): AmountRule =>
  (payment, { amountMinor }) =>
    amountMinor > 0n && amountMinor <= left(payment) ? null : refusal

export interface BeginRule {
  readonly command: Command
  readonly from: Status
  readonly kinds: readonly Kind[]
  readonly when: Condition
  readonly records: TransactionType
  readonly amount: AmountRule
}

const row = (
  command: Command,
  from: Status,
  kinds: readonly Kind[],
  when: Condition,
  records: TransactionType,
  amount: AmountRule,
): BeginRule => ({ command, from, kinds, when, records, amount })

/** Follow-up commands: when they may begin and which transaction they record. */
// biome-ignore format: a table is read in columns.
export const beginRules: readonly BeginRule[] = [
  //   command       from          kinds               when       records     amount rule
  row('CAPTURE',    'PENDING',    ['sale'],           always,    'CAPTURE',  upToHold),
  row('CREDITVOID', 'PENDING',    ['sale'],           always,    'REVERSAL', wholeHold),
  row('CREDITVOID', 'SETTLED',    ['sale'],           tookMoney, 'REFUND',   upToLeft(errors.refundTooMuch)),
  row('CREDITVOID', 'SETTLED',    ['debit'],          tookMoney, 'REVERSAL', upToLeft(errors.reversalTooMuch)),
  row('CREDITVOID', 'CHARGEBACK', ['debit'],          moneyLeft, 'REVERSAL', upToLeft(errors.reversalTooMuch)),
  row('VOID',       'SETTLED',    ['sale'],           voidable,  'VOID',     anyAmount),
  row('RETRY',      'DECLINED',   ['sale', 'debit'],  retryable, 'RETRY',    anyAmount),
]

/** The refusal of a command that no row permits. Chapter 10 §6.1. */
export const refusalOf: Readonly<Record<Command, Refusal>> = {
  CAPTURE: errors.captureNotPending,
  CREDITVOID: errors.refundNotAllowed,
  VOID: errors.voidNotAllowed,
  RETRY: errors.retryNotAllowed,
}

/** First commands: the transaction each records and the kind of payment it makes. */
// biome-ignore format: a table is read in columns.
export const firstRules: Readonly<Record<FirstCommand, { kind: Kind; records: TransactionType; onDmsMid: TransactionType; recurring: boolean }>> = {
  SALE:            { kind: 'sale',     records: 'SALE',     onDmsMid: 'AUTH',     recurring: false },
  AUTH:            { kind: 'sale',     records: 'AUTH',     onDmsMid: 'AUTH',     recurring: false },
  DEBIT:           { kind: 'debit',    records: 'DEBIT',    onDmsMid: 'DEBIT',    recurring: false },
  CARD2CARD:       { kind: 'transfer', records: 'TRANSFER', onDmsMid: 'TRANSFER', recurring: false },
  CREDIT2CARD:     { kind: 'credit',   records: 'CREDIT',   onDmsMid: 'CREDIT',   recurring: false },
  RECURRING_SALE:  { kind: 'sale',     records: 'SALE',     onDmsMid: 'AUTH',     recurring: true },
  RECURRING_DEBIT: { kind: 'debit',    records: 'DEBIT',    onDmsMid: 'DEBIT',    recurring: true },
}

/** `=` leaves the status as it was, which is also where a `nothingLeft` row stays while something is left to give back. */
export type Next = Status | '=' | { readonly nothingLeft: Status } | { readonly held: Status; readonly taken: Status }

export interface EndRule {
  readonly type: TransactionType
  /** Statuses in which the outcome may arrive; a CHARGEBACK that came first always stays. */
  readonly from: readonly Status[]
  readonly ok: Next
  readonly fail: Next
  readonly unknown: Next
  readonly payerStep: boolean
}

const end = (
  type: TransactionType,
  from: readonly Status[],
  ok: Next,
  fail: Next,
  unknown: Next,
  payerStep: boolean,
): EndRule => ({ type, from, ok, fail, unknown, payerStep })

const open: readonly Status[] = ['PREPARE', '3DS', 'REDIRECT']
const heldOrTaken: Next = { held: 'PENDING', taken: 'SETTLED' }

/** Outcomes: what the payment becomes. A refund or reversal that the acquirer finishes later (`waiting`) counts as unknown here. */
// biome-ignore format: a table is read in columns.
export const endRules: readonly EndRule[] = [
  //   transaction   arrives in                              ok                           fail        unknown    payer step possible
  end('SALE',       open,                                   'SETTLED',                   'DECLINED', 'PREPARE', true),
  end('AUTH',       open,                                   'PENDING',                   'DECLINED', 'PREPARE', true),
  end('DEBIT',      open,                                   'SETTLED',                   'DECLINED', 'PREPARE', true),
  end('TRANSFER',   open,                                   'SETTLED',                   'DECLINED', 'PREPARE', true),
  end('CREDIT',     open,                                   'SETTLED',                   'DECLINED', 'PREPARE', false),
  // A payer step that went well leaves the payment where it is: the charge itself comes next.
  end('3DS',        open,                                   '=',                         'DECLINED', '=',       true),
  end('REDIRECT',   open,                                   '=',                         'DECLINED', '=',       true),
  end('RETRY',      ['DECLINED', 'PREPARE'],                heldOrTaken,                 'DECLINED', 'PREPARE', false),
  end('CAPTURE',    ['PENDING'],                            'SETTLED',                   '=',        '=',       false),
  end('REVERSAL',   ['PENDING'],                            'REVERSAL',                  '=',        '=',       false),
  end('REVERSAL',   ['SETTLED', 'CHARGEBACK'],              { nothingLeft: 'REVERSAL' }, '=',        '=',       false),
  end('REFUND',     ['SETTLED', 'CHARGEBACK'],              { nothingLeft: 'REFUND' },   '=',        '=',       false),
  end('VOID',       ['SETTLED', 'CHARGEBACK'],              'VOID',                      '=',        '=',       false),
  end('CHARGEBACK', ['SETTLED', 'REFUND', 'CHARGEBACK'],    'CHARGEBACK',                '=',        '=',       false),
]
