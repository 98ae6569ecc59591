/** Applies the tables of `rules.ts`: whether a command may begin, and how an outcome changes the payment. */
import { errors, type Refusal } from '../errors.ts'
import { type Entry, entriesOf, returnOfChargeback, undoneReturn } from '../money/ledger.ts'
import {
  type DeclineClass,
  isDisputable,
  type Kind,
  type Payment,
  returnableMinorOf,
  type Status,
  type TransactionState,
  type TransactionType,
} from './payment.ts'
import {
  type BrandLimits,
  beginRules,
  type Command,
  type EndRule,
  endRules,
  type Next,
  noBrandLimits,
  type Question,
  refusalOf,
} from './rules.ts'

type Decision =
  | { readonly allowed: true; readonly records: TransactionType; readonly amountMinor: bigint }
  | { readonly allowed: false; readonly refusal: Refusal }

/** The circumstances of a command. Omitted members get the values of an ordinary card payment. */
interface Circumstances {
  readonly amountMinor: bigint | undefined
  readonly today: string
  readonly retryBudget?: boolean
  readonly brand?: BrandLimits
  readonly expired?: boolean
}

/**
 * The order is part of the interface (chapter 10 §1.3, step 10): status rule, then in-flight rule, then amount rule.
 * Without an amount the command applies to the whole hold, or to the whole remaining amount.
 */
export function decide(payment: Payment, command: Command, circumstances: Circumstances): Decision {
  const { today, retryBudget = true, brand = noBrandLimits, expired = false } = circumstances
  const amountMinor = amountOf(payment, command, circumstances.amountMinor)
  const question: Question = { amountMinor, today, retryBudget, brand, expired }
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
 * VOID, RETRY and COMPLETE take no amount (chapter 10 §7.2, chapter 20 §12.1), so an amount that was sent anyway is ignored.
 */
function amountOf(payment: Payment, command: Command, sent: bigint | undefined): bigint {
  if (command === 'RETRY' || command === 'COMPLETE') return payment.amountMinor
  if (command === 'VOID') return payment.capturedMinor
  return sent ?? (payment.status === 'PENDING' ? payment.authorisedMinor : returnableMinorOf(payment))
}

/**
 * The result of a transaction. `waiting` means that the acquirer finishes it later: a refund, a payout, or money that the payer
 * still has to send. `3DS` and `REDIRECT` are payer steps, named after their status.
 */
export type Result = 'ok' | 'fail' | 'unknown' | 'waiting' | '3DS' | 'REDIRECT'

export interface EndedTransaction {
  readonly type: TransactionType
  /** For a crypto payment the received amount; if it exceeds the order, the caller raises the payment's amount too. */
  readonly amountMinor: bigint
}

export interface Conclusion {
  readonly state: TransactionState
  /** The payment after the outcome. */
  readonly payment: Payment
  readonly entries: readonly Entry[]
}

/**
 * The payment after an outcome, or null when the outcome comes too late (no row accepts it in this status): the caller then
 * raises an alert and reverses a charge that succeeded after all. Chapter 10 §6.2.
 */
export function conclude(
  payment: Payment,
  transaction: EndedTransaction,
  reportedResult: Result,
  at: { today: string; declineClass?: DeclineClass },
): Conclusion | null {
  const rule = endRules.find(({ type, from }) => type === transaction.type && from.includes(payment.status))
  if (!rule) return null
  const result = resultByRule(rule, reportedResult)
  if ((result === '3DS' || result === 'REDIRECT') && !rule.payerStep) return null

  const moved = result === 'ok' ? withMoney(payment, transaction, at.today) : payment
  const status = statusAfter(rule, moved, result)
  const after: Payment = {
    ...moved,
    // An outcome must not undo a chargeback that came while the transaction was open.
    status: payment.status === 'CHARGEBACK' ? 'CHARGEBACK' : status,
    // Cleared otherwise, because a payment that a RETRY settled is no longer declined.
    declineClass: result === 'fail' && status === 'DECLINED' ? (at.declineClass ?? 'unknown') : null,
    inFlight: isUnfinished[result],
  }
  return { state: stateOf[result], payment: after, entries: result === 'ok' ? entriesOf(payment, transaction) : [] }
}

/** True if the acquirer may accept a transaction of this type and finish it later. For other types an unfinished one is unknown. */
export const mayWait = (type: TransactionType): boolean =>
  endRules.some((rule) => rule.type === type && rule.waiting !== 'unknown')

const isUnfinished: Readonly<Record<Result, boolean>> = {
  ok: false,
  fail: false,
  unknown: true,
  waiting: true,
  '3DS': true,
  REDIRECT: true,
}

const stateOf: Readonly<Record<Result, TransactionState>> = {
  ok: 'success',
  fail: 'fail',
  unknown: 'undefined',
  waiting: 'waiting',
  '3DS': 'waiting',
  REDIRECT: 'waiting',
}

/** For types that cannot wait, `waiting` means `unknown`. An unknown CALC fails: no acquirer can be asked. Chapter 20 §12.3. */
function resultByRule(rule: EndRule, reportedResult: Result): Result {
  const result = reportedResult === 'waiting' && rule.waiting === 'unknown' ? 'unknown' : reportedResult
  return result === 'unknown' && rule.unknown === 'fails' ? 'fail' : result
}

function statusAfter(rule: EndRule, moved: Payment, result: Result): Status {
  if (result === '3DS' || result === 'REDIRECT') return result
  const next = rule[result]
  // These two values name another result, which `resultByRule` has already chosen.
  return next === 'fails' || next === 'unknown' ? moved.status : resolve(next, moved)
}

function resolve(next: Next, moved: Payment): Status {
  if (next === '=') return moved.status
  if (typeof next === 'string') return next
  switch (next.kind) {
    case 'nothing-left':
      return returnableMinorOf(moved) === 0n ? next.status : moved.status
    case 'by-hold':
      return moved.holds ? next.held : next.captured
  }
}

/** How an approved transaction moves the payment's totals; the ledger's entries of the same step are in `ledger.ts`. */
function withMoney(payment: Payment, { type, amountMinor }: EndedTransaction, today: string): Payment {
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

/** A payout takes no money from a payer. */
const isChargedBack: Readonly<Record<Kind, boolean>> = { sale: true, debit: true, credit: false, transfer: true }

type ChargebackDecision =
  | { readonly kind: 'ok'; readonly conclusion: Conclusion }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * A dispute reported by the acquirer or entered by hand. It is no command, so it applies even while another transaction is open. Null
 * when the status allows no chargeback; the caller then raises an alert. Chapter 10 §6, "Chargeback".
 */
export function chargeback(payment: Payment, amountMinor: bigint, today: string): ChargebackDecision | null {
  if (!isChargedBack[payment.kind] || !isDisputable(payment.status)) return null
  if (amountMinor <= 0n || payment.chargedBackMinor + amountMinor > payment.capturedMinor)
    return { kind: 'refused', refusal: errors.chargebackTooMuch }
  const conclusion = conclude(payment, { type: 'CHARGEBACK', amountMinor }, 'ok', { today })
  if (!conclusion) return null
  const after = { ...conclusion.payment, inFlight: payment.inFlight }
  return { kind: 'ok', conclusion: { ...conclusion, payment: after } }
}

/**
 * Money of a chargeback came back, because the dispute was won. The status stays, and no callback reports it. Null if not so much is charged
 * back. Chapter 10 §6.2, "Chargeback won".
 */
export function returnChargeback(
  payment: Payment,
  amountMinor: bigint,
): Pick<Conclusion, 'payment' | 'entries'> | null {
  const { chargedBackMinor } = payment
  if (amountMinor <= 0n || amountMinor > chargedBackMinor) return null
  const after = { ...payment, chargedBackMinor: chargedBackMinor - amountMinor }
  return { payment: after, entries: [returnOfChargeback(amountMinor)] }
}

/**
 * A return that people recorded is posted back, because the acquirer decided otherwise. Null if a further chargeback has taken the money meanwhile. Chapter 10 §6.2,
 * "Chargeback won".
 */
export function undoReturn(payment: Payment, amountMinor: bigint): Pick<Conclusion, 'payment' | 'entries'> | null {
  const chargedBackMinor = payment.chargedBackMinor + amountMinor
  if (amountMinor <= 0n || chargedBackMinor > payment.capturedMinor) return null
  return { payment: { ...payment, chargedBackMinor }, entries: [undoneReturn(amountMinor)] }
}

/**
 * The acquirer ended the hold by itself: the payment is released. Like a chargeback this is no command: an open capture stays open,
 * and the acquirer is asked about it. Chapter 10 §6, "Hold lapses".
 */
export function lapse(payment: Payment, today: string): Conclusion | null {
  if (payment.status !== 'PENDING' || !payment.holds) return null
  const conclusion = conclude(payment, { type: 'REVERSAL', amountMinor: payment.authorisedMinor }, 'ok', { today })
  return conclusion && { ...conclusion, payment: { ...conclusion.payment, inFlight: payment.inFlight } }
}

/**
 * Declines a calculated debit that the merchant did not complete in time. No transaction ends with it, because the calculation itself
 * succeeded. Null for any other payment. Chapter 20 §12.3.
 */
export function expireCalculation(payment: Payment): Payment | null {
  if (payment.status !== 'PREPARE' || payment.kind !== 'debit' || payment.inFlight) return null
  return { ...payment, status: 'DECLINED', declineClass: 'soft' }
}
