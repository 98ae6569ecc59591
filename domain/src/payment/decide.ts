/** Walks the tables of `rules.ts`: may a command begin, and what does an outcome make of the payment. */
import { errors, type Refusal } from '../errors.ts'
import { type Entry, entriesOf } from '../money/ledger.ts'
import {
  type DeclineClass,
  left,
  type Payment,
  type Status,
  type TransactionState,
  type TransactionType,
} from './payment.ts'
import {
  type Ask,
  type BrandLimits,
  beginRules,
  type Command,
  type EndRule,
  endRules,
  type Next,
  refusalOf,
  unlimited,
} from './rules.ts'

type Decision =
  | { readonly allowed: true; readonly records: TransactionType; readonly amountMinor: bigint }
  | { readonly allowed: false; readonly refusal: Refusal }

/** What a caller says of a command. What it leaves out is what holds for an ordinary payment with a card. */
interface Asked {
  readonly amountMinor: bigint | undefined
  readonly today: string
  readonly retryBudget?: boolean
  readonly brand?: BrandLimits
  readonly expired?: boolean
}

/**
 * The order is part of the interface (chapter 10 §1.3, step 10): status rule, then in-flight rule, then amount rule.
 * An amount that was not sent means the whole hold, or all that is left.
 */
export function decide(payment: Payment, command: Command, asked: Asked): Decision {
  const { today, retryBudget = true, brand = unlimited, expired = false } = asked
  const amountMinor = amountOf(payment, command, asked.amountMinor)
  const question: Ask = { amountMinor, today, retryBudget, brand, expired }
  const rule = beginRules.find(
    ({ command: of, from, kinds, when }) =>
      of === command && from === payment.status && kinds.includes(payment.kind) && when(payment, question),
  )
  if (!rule) return { allowed: false, refusal: refusalOf[command] }
  if (payment.inFlight) return { allowed: false, refusal: errors.previousTransactionOpen }

  const refusal = rule.amount(payment, question)
  if (refusal) return { allowed: false, refusal }
  return { allowed: true, records: rule.records, amountMinor }
}

/**
 * VOID, RETRY and COMPLETE take no amount (chapter 10 §7.2, chapter 20 §12.1): one that reached them all the same must not
 * change what they move.
 */
function amountOf(payment: Payment, command: Command, sent: bigint | undefined): bigint {
  if (command === 'RETRY' || command === 'COMPLETE') return payment.amountMinor
  if (command === 'VOID') return payment.capturedMinor
  return sent ?? (payment.status === 'PENDING' ? payment.authorisedMinor : left(payment))
}

/**
 * What became known about a transaction. `waiting` is what the acquirer finishes later: a refund, a payout, or money that the
 * payer sends in his own time; payer steps name their status.
 */
export type Result = 'ok' | 'fail' | 'unknown' | 'waiting' | '3DS' | 'REDIRECT'

export interface Ended {
  readonly type: TransactionType
  /** Of a crypto payment what was received; when it is more than was ordered, the caller raises the payment's amount too. */
  readonly amountMinor: bigint
}

export interface Conclusion {
  readonly state: TransactionState
  /** The payment after the outcome. */
  readonly payment: Payment
  readonly entries: readonly Entry[]
}

/**
 * What an outcome makes of the payment, or null when it comes too late to matter (no row takes it in this status): the
 * caller then raises an alert and, for a charge that succeeded after all, reverses it. Chapter 10 §6.2.
 */
export function conclude(
  payment: Payment,
  transaction: Ended,
  told: Result,
  at: { today: string; declineClass?: DeclineClass },
): Conclusion | null {
  const rule = endRules.find(({ type, from }) => type === transaction.type && from.includes(payment.status))
  if (!rule) return null
  const result = taken(rule, told)
  if ((result === '3DS' || result === 'REDIRECT') && !rule.payerStep) return null

  const moved = result === 'ok' ? withMoney(payment, transaction, at.today) : payment
  const status = statusAfter(rule, moved, result)
  const after: Payment = {
    ...moved,
    // A chargeback that came while the transaction was open stays in place.
    status: payment.status === 'CHARGEBACK' ? 'CHARGEBACK' : status,
    // A class belongs to a decline: a payment that a RETRY settled has none any more.
    declineClass: result === 'fail' && status === 'DECLINED' ? (at.declineClass ?? 'unknown') : null,
    inFlight: result !== 'ok' && result !== 'fail',
  }
  return { state: stateOf[result], payment: after, entries: result === 'ok' ? entriesOf(payment, transaction) : [] }
}

/** Whether the acquirer may take a transaction of this type and finish it later. For the other types an unfinished one is not known yet. */
export const mayWait = (type: TransactionType): boolean =>
  endRules.some((rule) => rule.type === type && rule.waiting !== 'unknown')

const stateOf: Readonly<Record<Result, TransactionState>> = {
  ok: 'success',
  fail: 'fail',
  unknown: 'undefined',
  waiting: 'waiting',
  '3DS': 'waiting',
  REDIRECT: 'waiting',
}

/** Where nothing waits, waiting is not knowing; and of a calculation that is not known nobody finds out. Chapter 20 §12.3. */
function taken(rule: EndRule, told: Result): Result {
  const result = told === 'waiting' && rule.waiting === 'unknown' ? 'unknown' : told
  return result === 'unknown' && rule.unknown === 'fails' ? 'fail' : result
}

function statusAfter(rule: EndRule, moved: Payment, result: Result): Status {
  if (result === '3DS' || result === 'REDIRECT') return result
  const next = rule[result]
  // `taken` has turned both words into other results by now.
  return next === 'fails' || next === 'unknown' ? moved.status : resolve(next, moved)
}

function resolve(next: Next, moved: Payment): Status {
  if (next === '=') return moved.status
  if (typeof next === 'string') return next
  if ('nothingLeft' in next) return left(moved) === 0n ? next.nothingLeft : moved.status
  return moved.holds ? next.held : next.taken
}

/** How an approved transaction moves the payment's totals; the ledger's entries of the same step are in `ledger.ts`. */
function withMoney(payment: Payment, { type, amountMinor }: Ended, today: string): Payment {
  switch (type) {
    case 'AUTH':
      return { ...payment, authorisedMinor: amountMinor }
    case 'SALE':
    case 'DEBIT':
    case 'TRANSFER':
    case 'CREDIT':
      return { ...payment, authorisedMinor: amountMinor, capturedMinor: amountMinor, financialDay: today }
    case 'RETRY':
      return withMoney(payment, { type: payment.holds ? 'AUTH' : 'SALE', amountMinor }, today)
    case 'CAPTURE':
      return { ...payment, capturedMinor: amountMinor, financialDay: today }
    case 'REFUND':
      return { ...payment, refundedMinor: payment.refundedMinor + amountMinor }
    case 'REVERSAL':
      if (payment.status === 'PENDING') return payment
      return { ...payment, refundedMinor: payment.refundedMinor + amountMinor }
    case 'VOID':
      return { ...payment, refundedMinor: payment.capturedMinor }
    case 'CHARGEBACK':
      return { ...payment, chargedBackMinor: payment.chargedBackMinor + amountMinor }
    case 'CALC':
    case '3DS':
    case 'REDIRECT':
      return payment
  }
}

/**
 * A dispute entered by the acquirer or by hand. Not a command: it applies while another transaction is open. Null when
 * the status takes none, which only raises an alert. Chapter 10 §6, "Chargeback".
 */
export function chargeback(payment: Payment, amountMinor: bigint, today: string): Conclusion | Refusal | null {
  const takes = payment.kind !== 'credit' && ['SETTLED', 'REFUND', 'CHARGEBACK'].includes(payment.status)
  if (!takes) return null
  if (amountMinor <= 0n || payment.chargedBackMinor + amountMinor > payment.capturedMinor)
    return errors.chargebackTooMuch
  const conclusion = conclude(payment, { type: 'CHARGEBACK', amountMinor }, 'ok', { today })
  return conclusion && { ...conclusion, payment: { ...conclusion.payment, inFlight: payment.inFlight } }
}

/**
 * The hold ended at the acquirer without our asking: the payment is released. Like a chargeback this is no command: a capture
 * that was open stays open and is asked about. Chapter 10 §6, "Hold lapses".
 */
export function lapse(payment: Payment, today: string): Conclusion | null {
  if (payment.status !== 'PENDING' || !payment.holds) return null
  const conclusion = conclude(payment, { type: 'REVERSAL', amountMinor: payment.authorisedMinor }, 'ok', { today })
  return conclusion && { ...conclusion, payment: { ...conclusion.payment, inFlight: payment.inFlight } }
}

/**
 * The payer's time ended before the merchant completed a calculated debit. No transaction ends by it: the calculation itself had
 * succeeded. Null for any other payment. Chapter 20 §12.3.
 */
export function expireCalculation(payment: Payment): Payment | null {
  if (payment.status !== 'PREPARE' || payment.kind !== 'debit' || payment.inFlight) return null
  return { ...payment, status: 'DECLINED', declineClass: 'soft' }
}
