/**
 * The life of a payment as tables, in the columns of chapter 10 §6 and chapter 20 §15, so that they can be compared line by line.
 *
 * `firstRules` say which transaction a first command records. A follow-up is allowed by the first `begin` row whose `from`, `kinds` and
 * `when` fit, and refused with the command's refusal if no row fits. The type of a transaction selects the `end` row of its outcome.
 *
 * Three things are deliberately not here. Whether a transaction with an unknown outcome may be sent again is decided in `resend.ts`
 * (decisions/certainty#sending-again). A cascade needs no row, because each attempt is a payment of its own. Anything that needs a look-up,
 * such as the financial day, is an argument.
 */
import { errors, type Refusal } from '../errors.ts'
import {
  allowsRetry,
  type Kind,
  openStatuses,
  type Payment,
  returnableMinorOf,
  type Status,
  type TransactionType,
} from './payment.ts'

export const commands = ['CAPTURE', 'CREDITVOID', 'VOID', 'RETRY', 'COMPLETE'] as const
export type Command = (typeof commands)[number]
/** AUTH is missing because on the wire it is a SALE with `auth=Y`. */
export type FirstCommand =
  | 'SALE'
  | 'DEBIT'
  | 'CARD2CARD'
  | 'CREDIT2CARD'
  | 'RECURRING_SALE'
  | 'RECURRING_DEBIT'
  | 'CREDIT2VIRTUAL'
  | 'CREDIT2CRYPTO'
  | 'DEBIT2VIRTUAL'
  | 'DEBIT2VIRTUAL_CALC'

/** The follow-ups that the payment's brand permits. Chapter 20 §5.1. */
export interface BrandLimits {
  readonly refund: 'none' | 'full' | 'partial'
  /** True if both the brand and the connector permit it. */
  readonly partialCapture: boolean
  readonly void: boolean
}

/** For card payments. */
export const noBrandLimits: BrandLimits = Object.freeze({ refund: 'partial', partialCapture: true, void: true })

export interface Question {
  readonly amountMinor: bigint
  /** The financial day of the MID at this moment. */
  readonly today: string
  /** Whether the network's retry budget for the card has room; only RETRY reads it. */
  readonly retryBudget: boolean
  readonly brand: BrandLimits
  /** The payer's time for a calculated debit is over; only COMPLETE reads it. */
  readonly expired: boolean
}

type Condition = (payment: Payment, question: Question) => boolean
type AmountRule = (payment: Payment, question: Question) => Refusal | null

/** A payment that waits in PENDING holds nothing that could be captured or released. Chapter 20 §7, §8. */
const isHeld: Condition = (payment) => payment.holds
const isRefundable: Condition = (payment, { brand }) => payment.capturedMinor > 0n && brand.refund !== 'none'
const hasMoneyLeft: Condition = (payment, { brand }) => returnableMinorOf(payment) > 0n && brand.refund !== 'none'
const isVoidable: Condition = (payment, { today, brand }) =>
  payment.capturedMinor > 0n && payment.refundedMinor === 0n && payment.financialDay === today && brand.void
/** A debit in PREPARE with an open transaction is not a calculated one, or is already being completed. Chapter 20 §12.3. */
const isCalculated: Condition = (payment, { expired }) => !payment.inFlight && !expired
const isRetryable: Condition = (payment, question) =>
  payment.recurring && payment.declineClass !== null && allowsRetry(payment.declineClass) && question.retryBudget

const anyAmount: AmountRule = () => null
const upToHold: AmountRule = (payment, { amountMinor, brand }) => {
  if (amountMinor <= 0n || amountMinor > payment.authorisedMinor) return errors.captureTooMuch
  return brand.partialCapture || amountMinor === payment.authorisedMinor ? null : errors.actionNotSupported
}
const wholeHold: AmountRule = (payment, { amountMinor }) => {
  if (amountMinor > payment.authorisedMinor) return errors.reversalTooMuch
  return amountMinor === payment.authorisedMinor ? null : errors.reversalPartial
}
const upToLeft =
  (refusal: Refusal): AmountRule =>
  (payment, { amountMinor, brand }) => {
    if (amountMinor <= 0n || amountMinor > returnableMinorOf(payment)) return refusal
    return brand.refund === 'partial' || amountMinor === returnableMinorOf(payment) ? null : errors.refundNotAllowed
  }

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
  //   command       from          kinds               when          records     amount rule
  row('CAPTURE',    'PENDING',    ['sale'],           isHeld,       'CAPTURE',  upToHold),
  row('CREDITVOID', 'PENDING',    ['sale'],           isHeld,       'REVERSAL', wholeHold),
  row('CREDITVOID', 'SETTLED',    ['sale'],           isRefundable, 'REFUND',   upToLeft(errors.refundTooMuch)),
  row('CREDITVOID', 'SETTLED',    ['debit'],          isRefundable, 'REVERSAL', upToLeft(errors.reversalTooMuch)),
  row('CREDITVOID', 'CHARGEBACK', ['debit'],          hasMoneyLeft, 'REVERSAL', upToLeft(errors.reversalTooMuch)),
  row('VOID',       'SETTLED',    ['sale'],           isVoidable,   'VOID',     anyAmount),
  row('RETRY',      'DECLINED',   ['sale', 'debit'],  isRetryable,  'RETRY',    anyAmount),
  row('COMPLETE',   'PREPARE',    ['debit'],          isCalculated, 'DEBIT',    anyAmount),
]

/** The refusal of a command that no row permits. Chapter 10 §6.1, chapter 20 §12.3. */
export const refusalOf: Readonly<Record<Command, Refusal>> = {
  CAPTURE: errors.captureNotPending,
  CREDITVOID: errors.refundNotAllowed,
  VOID: errors.voidNotAllowed,
  RETRY: errors.retryNotAllowed,
  COMPLETE: errors.cannotBeCompleted,
}

interface FirstRule {
  readonly kind: Kind
  readonly records: TransactionType
  /** With `auth=Y`, and on a MID in DMS mode; null for commands that never hold. */
  readonly recordsHeld: TransactionType | null
  readonly recurring: boolean
}

/** First commands: the kind of payment each creates and the transaction it records. */
// biome-ignore format: a table is read in columns.
export const firstRules: Readonly<Record<FirstCommand, FirstRule>> = {
  SALE:               { kind: 'sale',     records: 'SALE',     recordsHeld: 'AUTH', recurring: false },
  DEBIT:              { kind: 'debit',    records: 'DEBIT',    recordsHeld: null,   recurring: false },
  CARD2CARD:          { kind: 'transfer', records: 'TRANSFER', recordsHeld: null,   recurring: false },
  CREDIT2CARD:        { kind: 'credit',   records: 'CREDIT',   recordsHeld: null,   recurring: false },
  RECURRING_SALE:     { kind: 'sale',     records: 'SALE',     recordsHeld: 'AUTH', recurring: true },
  RECURRING_DEBIT:    { kind: 'debit',    records: 'DEBIT',    recordsHeld: null,   recurring: true },
  CREDIT2VIRTUAL:     { kind: 'credit',   records: 'CREDIT',   recordsHeld: null,   recurring: false },
  CREDIT2CRYPTO:      { kind: 'credit',   records: 'CREDIT',   recordsHeld: null,   recurring: false },
  DEBIT2VIRTUAL:      { kind: 'debit',    records: 'DEBIT',    recordsHeld: null,   recurring: false },
  DEBIT2VIRTUAL_CALC: { kind: 'debit',    records: 'CALC',     recordsHeld: null,   recurring: false },
}

/** The first transaction of a command. For a calculated debit it is the CALC; COMPLETE later records the DEBIT. */
export function firstTransaction(command: FirstCommand, holds: boolean): TransactionType {
  const { records, recordsHeld } = firstRules[command]
  return (holds ? recordsHeld : null) ?? records
}

/** `=` leaves the status unchanged. So does `nothing-left` while an amount can still be returned. */
export type Next =
  | Status
  | '='
  | { readonly kind: 'nothing-left'; readonly status: Status }
  | { readonly kind: 'by-hold'; readonly held: Status; readonly captured: Status }

export interface EndRule {
  readonly type: TransactionType
  /** Statuses in which the outcome may arrive; a CHARGEBACK that came first always stays. */
  readonly from: readonly Status[]
  readonly ok: Next
  readonly fail: Next
  /** `fails`: an unknown outcome counts as a failure, because no acquirer can be asked later. */
  readonly unknown: Next | 'fails'
  /** The acquirer accepted it and finishes it later. `unknown`: this type never waits, so the outcome is unknown. */
  readonly waiting: Next | 'unknown'
  readonly payerStep: boolean
}

const end = (
  type: TransactionType,
  from: readonly Status[],
  ok: Next,
  fail: Next,
  unknown: EndRule['unknown'],
  waiting: EndRule['waiting'],
  payerStep: boolean,
): EndRule => ({ type, from, ok, fail, unknown, waiting, payerStep })

const byHold: Next = { kind: 'by-hold', held: 'PENDING', captured: 'SETTLED' }
const whenReversed: Next = { kind: 'nothing-left', status: 'REVERSAL' }
const whenRefunded: Next = { kind: 'nothing-left', status: 'REFUND' }

/** Outcomes: the status that follows. The brand decides which sales and payouts wait in PENDING; card payments never do. */
// biome-ignore format: a table is read in columns.
export const endRules: readonly EndRule[] = [
  //   transaction   arrives in                              ok                           fail        unknown    waiting    payer step possible
  end('SALE',       openStatuses,                           'SETTLED',                   'DECLINED', 'PREPARE', 'PENDING', true),
  end('SALE',       ['PENDING'],                            'SETTLED',                   'DECLINED', '=',       '=',       false),
  end('AUTH',       openStatuses,                           'PENDING',                   'DECLINED', 'PREPARE', 'unknown', true),
  end('DEBIT',      openStatuses,                           'SETTLED',                   'DECLINED', 'PREPARE', 'unknown', true),
  end('TRANSFER',   openStatuses,                           'SETTLED',                   'DECLINED', 'PREPARE', 'unknown', true),
  end('CREDIT',     openStatuses,                           'SETTLED',                   'DECLINED', 'PREPARE', 'PENDING', false),
  end('CREDIT',     ['PENDING'],                            'SETTLED',                   'DECLINED', '=',       '=',       false),
  // A calculated debit stays in PREPARE with nothing open, until it is completed or expires.
  end('CALC',       ['PREPARE'],                            '=',                         'DECLINED', 'fails',   'unknown', false),
  // A successful payer step does not change the status: the charge itself comes next.
  end('3DS',        openStatuses,                           '=',                         'DECLINED', '=',       'unknown', true),
  end('REDIRECT',   openStatuses,                           '=',                         'DECLINED', '=',       'unknown', true),
  end('RETRY',      ['DECLINED', 'PREPARE'],                byHold,                      'DECLINED', 'PREPARE', 'unknown', false),
  end('CAPTURE',    ['PENDING'],                            'SETTLED',                   '=',        '=',       'unknown', false),
  end('REVERSAL',   ['PENDING'],                            'REVERSAL',                  '=',        '=',       '=',       false),
  end('REVERSAL',   ['SETTLED', 'CHARGEBACK'],              whenReversed,                '=',        '=',       '=',       false),
  end('REFUND',     ['SETTLED', 'CHARGEBACK'],              whenRefunded,                '=',        '=',       '=',       false),
  end('VOID',       ['SETTLED', 'CHARGEBACK'],              'VOID',                      '=',        '=',       'unknown', false),
  end('CHARGEBACK', ['SETTLED', 'REFUND', 'CHARGEBACK'],    'CHARGEBACK',                '=',        '=',       '=',       false),
]
