/**
 * Settles outcomes: the last part of intent → request → outcome, for every operation.
 *
 * The intent is committed before the request is sent and the outcome after it, so that after a crash in between the reconciler finds the
 * intent. No database transaction is open during the request. An outcome that cannot be known is `unknown`: the reconciler asks again.
 */

import { type Conclusion, conclude, type Result } from '#domain/payment/decide.ts'
import { concludeLateReversal, reversesLateCharge } from '#domain/payment/late-success.ts'
import { concludeOvertaken } from '#domain/payment/overtaken.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { writeCurrent } from '../../process/current-write.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { today } from '../exchange/today.ts'
import type { Deps } from '../request/deps.ts'
import { type InterpretedOutcome, interpretOutcome } from './interpret-outcome.ts'
import { giveBackAlert, reverseLateCharge, wasWrittenOff } from './late-success.ts'
import { type ConcludedOutcome, composeOutcomeRecord, type SettleOptions } from './outcome-record.ts'
import { raisePaymentAlert } from './payment-alert.ts'
import { countForHealth } from './tally.ts'

/** A payment in its current state and the transaction just executed on it: the content of an answer. */
export interface PaymentWithTransaction {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
}

/**
 * Writes the outcome that people decided, like any outcome. `closed` if the acquirer reported one first; `not-allowed` if the payment's
 * status accepts no such outcome. Chapter 70 §1.
 */
export async function settleByHand(
  deps: Deps,
  { payment, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  after: SettleOptions,
): Promise<PaymentWithTransaction | 'closed' | 'not-allowed'> {
  const written = await writeCurrent<PaymentRecord, PaymentWithTransaction | 'closed' | 'not-allowed'>({
    record: payment,
    write: async (before) => {
      if (before.openTransaction !== transaction.id) return 'closed'
      const concluded = concludeFor(deps, { payment: before, transaction }, outcome, after)
      return concluded ? writeSettlement(deps, before, concluded) : 'not-allowed'
    },
    read: () => readCurrentPayment(deps, payment),
  })
  if (written) return written
  throw new Error(`The decision on transaction ${transaction.id} could not be stored: the payment kept changing.`)
}

/** Writes the outcome of an open transaction with its ledger entries and its callback, by one statement. */
export async function settle(
  deps: Deps,
  open: PaymentWithTransaction,
  outcome: Outcome,
  after: SettleOptions = {},
): Promise<PaymentWithTransaction> {
  const { payment, transaction } = open
  const written = await writeCurrent({
    record: payment,
    write: (before) => {
      const isOver = before !== payment && before.openTransaction !== transaction.id
      return isOver
        ? acceptEarlierOutcome(deps, before, transaction, outcome)
        : writeOutcome(deps, { payment: before, transaction }, outcome, after)
    },
    read: () => readCurrentPayment(deps, payment),
  })
  if (written) return written
  throw new Error(`The outcome of transaction ${transaction.id} could not be stored: the payment kept changing.`)
}

export type DeclinedOutcome = Extract<Outcome, { result: 'declined' }>

/**
 * Writes a command that is declined without having been sent: transaction, outcome and callback by one statement, without an intent. It says
 * nothing about the health of the MID. Null if another process has changed the payment.
 */
export async function enterDeclined(
  deps: Deps,
  { payment, transaction }: PaymentWithTransaction,
  outcome: DeclinedOutcome,
): Promise<PaymentWithTransaction | null> {
  const concluded = concludeFor(deps, { payment, transaction }, outcome, {})
  if (!concluded) throw new Error(`${transaction.type} cannot be declined on a payment in status ${payment.status}.`)
  const recorded = await composeOutcomeRecord(deps, payment, concluded)
  if ((await deps.payments.enter(recorded)) !== 'settled') return null
  deps.wake()
  return { payment: recorded.after, transaction: recorded.transaction }
}

async function writeOutcome(
  deps: Deps,
  { payment: before, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  after: SettleOptions,
): Promise<PaymentWithTransaction | null> {
  const concluded = concludeFor(deps, { payment: before, transaction }, outcome, after)
  return concluded ? writeSettlement(deps, before, concluded) : alertTooLate(deps, before, transaction, outcome)
}

/** Null if the payment's status does not accept the outcome. */
function concludeFor(
  deps: Deps,
  { payment, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  follow: SettleOptions,
): ConcludedOutcome | null {
  const interpreted = interpretOutcome(payment, transaction, outcome, deps.clock.now())
  const conclusion = concludeOutcome(deps, interpreted, follow)
  return conclusion && { interpreted, conclusion, follow }
}

/** Null if another process has changed the payment. */
async function writeSettlement(
  deps: Deps,
  before: PaymentRecord,
  concluded: ConcludedOutcome,
): Promise<PaymentWithTransaction | null> {
  const recorded = await composeOutcomeRecord(deps, before, concluded)
  if ((await deps.payments.settle(recorded)) !== 'settled') return null
  deps.wake()
  countForHealth(deps, recorded)
  await raiseAlerts(deps, concluded.interpreted, recorded)
  return { payment: recorded.after, transaction: recorded.transaction }
}

/** Another process settled this transaction first, and its outcome stands. An executed charge that it wrote off is reversed. */
async function acceptEarlierOutcome(
  deps: Deps,
  payment: PaymentRecord,
  { id }: TransactionRecord,
  outcome: Outcome,
): Promise<PaymentWithTransaction> {
  const result = await readTransaction(deps, payment, { id })
  if (outcome.result === 'approved' && wasWrittenOff(result.transaction)) {
    await reverseLateCharge(deps, result.transaction, outcome.facts)
  }
  return result
}

export async function readTransaction(
  deps: Deps,
  payment: PaymentRecord,
  { id }: { readonly id: string },
): Promise<PaymentWithTransaction> {
  const transactions = await deps.payments.listTransactions(payment.merchantId, payment.id)
  const transaction = transactions.find((candidate) => candidate.id === id)
  if (!transaction) throw new Error(`Transaction ${id} was not found.`)
  return { payment, transaction }
}

function concludeOutcome(
  deps: Deps,
  { payment, transaction, outcome }: InterpretedOutcome,
  { executedOn }: SettleOptions,
): Conclusion | null {
  if (reversesLateCharge(payment, transaction.type)) return concludeLateReversal(payment, resultOf(outcome))
  const at = { today: executedOn ?? today(deps, deps.configuration.mid(transaction.midId)) }
  const conclusion = conclude(payment, transaction, resultOf(outcome), {
    ...at,
    ...(outcome.result === 'declined' ? { declineClass: outcome.declineClass } : {}),
    ...(outcome.result === 'not-executed' ? { declineClass: 'technical' as const } : {}),
  })
  // Only for the open transaction: an outcome that arrives twice must not change anything again.
  if (conclusion || payment.openTransaction !== transaction.id) return conclusion
  return concludeOvertaken(payment, transaction, resultOf(outcome))
}

function resultOf(outcome: Outcome): Result {
  switch (outcome.result) {
    case 'approved':
      return 'ok'
    case 'declined':
    case 'not-executed':
      return 'fail'
    case 'waiting':
      return 'waiting'
    case 'unknown':
      return 'unknown'
    case 'payer-step':
      return outcome.step
  }
}

async function raiseAlerts(
  deps: Deps,
  interpreted: InterpretedOutcome,
  { after, transaction }: OutcomeRecord,
): Promise<void> {
  const failed = reversesLateCharge(interpreted.payment, transaction.type) && transaction.state === 'fail'
  const lost = `The late charge could not be reversed (${transaction.declineReason}). Refund it manually at the acquirer.`
  const text = failed ? lost : interpreted.alert
  if (text !== null) await raisePaymentAlert(deps, giveBackAlert, after, text)
}

/** The payment's status no longer allows this outcome, so an operator has to look at it. */
async function alertTooLate(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  outcome: Outcome,
): Promise<PaymentWithTransaction> {
  const result = await acceptEarlierOutcome(deps, payment, transaction, outcome)
  if (outcome.result === 'approved' && wasWrittenOff(result.transaction)) return result
  const text = `The outcome "${outcome.result}" of ${transaction.type} ${transaction.id} arrived for a payment in status ${payment.status}.`
  await raisePaymentAlert(deps, 'late-outcome', payment, text)
  return result
}
