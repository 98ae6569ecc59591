/**
 * Asks the acquirer about a transaction whose outcome is open. Chapter 10 §6.2, chapter 50 §5.
 *
 * If the acquirer does not know the transaction, `domain/payment/resend.ts` decides: it is sent again only if it was never sent or if the
 * acquirer honours its idempotency key; it is written off, and watched, only once the request can no longer be executed.
 */

import { hasProof } from '#domain/payment/facts.ts'
import { isOvertaken } from '#domain/payment/overtaken.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import {
  decideAfterUnknownRequest,
  decideWithoutAnswer,
  isKeyHonoured,
  type UnknownRequest,
  unlessSent,
} from '#domain/payment/resend.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { UnresolvedTransaction, UnresolvedTransactions } from '../../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { atLatest, nextAsk, reverseAgainWithinMs } from '../exchange/ask-times.ts'
import { charge, declineStepOnChain } from '../exchange/charge.ts'
import { openIfOnlyThisSend } from '../exchange/only-this-send.ts'
import { type Departure, prepareDeparture } from '../exchange/sending.ts'
import { readSentTransaction } from '../exchange/sent-transaction.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { readStoredCharge } from '../methods/stored-charge.ts'
import { interpretOutcome, payerHasUntil } from '../outcome/interpret-outcome.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { sendFollowUp } from './follow-up.ts'
import { completeAgain } from './payer-step.ts'

const neverSent: Outcome = { result: 'not-executed', reason: 'The payment never reached the acquirer', facts: {} }
const notYetArrived: Outcome = { result: 'unknown', reason: 'The acquirer has not heard of the payment yet', facts: {} }

const notReported: Outcome = { result: 'unknown', reason: 'The acquirer has not reported the outcome yet', facts: {} }

/** A charge that was never sent is sent late only while the payer may still be waiting for it. */
const firstStepResendMs = 15 * 60_000

/** The outcome found, and how to continue while it is open. */
interface QueryResult {
  readonly outcome: Outcome
  /** Ask again within this time, even if the schedule says later. */
  readonly askWithinMs?: number | null
  readonly watched?: boolean
}

export async function reconcile(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  claimed: UnresolvedTransaction,
): Promise<void> {
  const { transaction } = claimed
  const payment = await deps.payments.find(transaction.merchantId, transaction.paymentId)
  if (!payment || payment.openTransaction !== transaction.id) return unresolved.stopAsking(transaction)

  const found = await findOutcome(deps, unresolved, payment, claimed)
  // Another process is sending it and will settle it.
  if (!found) return
  const { outcome } = interpretOutcome(payment, transaction, found.outcome, deps.clock.now())
  // An overtaken command can no longer change the payment. Keep polling on schedule; raise an alert if no final answer ever comes.
  const canChangePayment = isFinal(outcome) || !isOvertaken(payment, transaction)
  const mustBeWritten = canChangePayment && (outcome.result !== 'unknown' || transaction.state === 'sent')
  const { askWithinMs = null, watched = false } = found
  if (mustBeWritten && !(outcome.result === 'waiting' && transaction.state === 'waiting')) {
    const { payment: after } = await settle(deps, { payment, transaction }, found.outcome, {
      ending: { reason: 'outcome-unknown' },
      askWithinMs,
      watched,
    })
    // The outcome was rejected and an alert raised; stop polling, or the same alert repeats.
    if (isFinal(outcome) && after.openTransaction === transaction.id) await unresolved.stopAsking(transaction)
    return
  }
  const now = deps.clock.now()
  const askAt = atLatest(nextAsk(now, transaction.asks, payerHasUntil(payment, transaction)), now, askWithinMs)
  if (askAt !== null) return unresolved.postpone(transaction, askAt)
  await unresolved.stopAsking(transaction)
  await alertUnknownOutcome(deps, payment, transaction)
}

const isFinal = ({ result }: Outcome): boolean =>
  result === 'approved' || result === 'declined' || result === 'not-executed'

async function findOutcome(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  payment: PaymentRecord,
  claimed: UnresolvedTransaction,
): Promise<QueryResult | null> {
  const { transaction } = claimed
  // An authentication has no effect at the acquirer, so an interrupted one just ends.
  if (transaction.type === '3DS') return { outcome: neverSent }
  // A calculation involves no acquirer, and the commission is already stored in the payment.
  if (transaction.type === 'CALC') return { outcome: { result: 'approved', facts: {} } }
  const answer = declineStepOnChain(payment, await queryStatus(deps, payment, transaction))
  switch (answer.result) {
    case 'never-arrived':
      return continueAfterNeverArrived(deps, unresolved, payment, claimed)
    case 'cannot-be-asked':
      return continueAfterNoAnswer(deps, unresolved, payment, claimed)
    case 'unknown':
      return { outcome: answer, askWithinMs: await reverseWithinMs(deps, transaction) }
    case 'approved':
    case 'declined':
    case 'not-executed':
    case 'waiting':
    case 'payer-step':
      return { outcome: answer }
  }
}

/** Null at an acquirer that does not reverse unknown outcomes. */
async function reverseWithinMs(deps: Deps, transaction: TransactionRecord): Promise<number | null> {
  const { recovery } = await deps.acquirers.find(transaction.midId)
  return recovery.way === 'reverse' ? reverseAgainWithinMs(deps.clock.now(), transaction) : null
}

/** The acquirer has no way to ask about it. Null if another process began to send it first. Chapter 60 §3. */
async function continueAfterNoAnswer(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  payment: PaymentRecord,
  claimed: UnresolvedTransaction,
): Promise<QueryResult | null> {
  const { transaction, inFlightMs } = claimed
  const completed = await completeAgain(deps, payment, transaction)
  if (completed) return { outcome: completed }
  const facts = await readFacts(deps, claimed)
  const send = await prepareSend(deps, payment, claimed)
  const undo = await prepareUndo(deps, payment, transaction)
  const possibilities = { canBeSent: send !== null, canBeUndone: undo !== null }
  switch (decideWithoutAnswer(facts, possibilities)) {
    case 'drop':
      return { outcome: neverSent }
    case 'send':
      return repeatSend(deps, unresolved, claimed, send)
    case 'undo': {
      const result = await beginSend(deps, unresolved, claimed, undo)
      return result && { ...result, askWithinMs: await reverseWithinMs(deps, transaction) }
    }
    case 'wait':
      return { outcome: notReported, askWithinMs: facts.mayStillExecute && undo ? inFlightMs : null }
  }
}

/** A repetition that was refused at the door says nothing about the first send, which may have been executed. */
async function repeatSend(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  claimed: UnresolvedTransaction,
  send: Send | null,
): Promise<QueryResult | null> {
  const result = await beginSend(deps, unresolved, claimed, send)
  const wasSent = claimed.lastSend.by !== null
  return result && wasSent ? { ...result, outcome: openIfOnlyThisSend(result.outcome) } : result
}

async function beginSend(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  claimed: UnresolvedTransaction,
  send: Send | null,
): Promise<QueryResult | null> {
  const departure = await prepareDeparture(deps, claimed.transaction.midId)
  return send && (await unresolved.beginSend(claimed, departure)) ? { outcome: await send(departure) } : null
}

/** Null if the acquirer offers no reversal by our id. */
async function prepareUndo(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Send | null> {
  const acquirer = await deps.acquirers.find(transaction.midId)
  const { undo } = acquirer.account
  if (!undo) return null
  const sent = await readSentTransaction(deps, payment, transaction)
  return ({ sendBy }) => acquirer.undo(() => undo(sent, sendBy))
}

/** Null if another process began to send it first. */
async function continueAfterNeverArrived(
  deps: Deps,
  unresolved: UnresolvedTransactions,
  payment: PaymentRecord,
  claimed: UnresolvedTransaction,
): Promise<QueryResult | null> {
  const facts = await readFacts(deps, claimed)
  const send = await prepareSend(deps, payment, claimed)
  switch (send ? decideAfterUnknownRequest(facts) : unlessSent(facts)) {
    case 'send':
      return repeatSend(deps, unresolved, claimed, send)
    case 'drop':
      return { outcome: neverSent }
    case 'ask-again':
      return { outcome: notYetArrived, askWithinMs: facts.mayStillExecute ? claimed.inFlightMs : null }
    case 'write-off':
      return { outcome: neverSent, watched: true }
  }
}

async function readFacts(
  deps: Deps,
  { transaction, lastSend, inFlightMs, sentMsAgo }: UnresolvedTransaction,
): Promise<UnknownRequest> {
  const { recovery } = await deps.acquirers.find(transaction.midId)
  return {
    wasSent: lastSend.by !== null,
    wasAcknowledged: transaction.state === 'waiting' || transaction.reference !== null,
    mayStillExecute: inFlightMs > 0,
    keyHonoured: isKeyHonoured(recovery.idempotencyKey, sentMsAgo, !firstStepTypes.includes(transaction.type)),
  }
}

type Send = (departure: Departure) => Promise<Outcome>

/** Null if the transaction must not be sent again, or no longer can be. */
async function prepareSend(
  deps: Deps,
  payment: PaymentRecord,
  { transaction, sentMsAgo }: UnresolvedTransaction,
): Promise<Send | null> {
  if (isOvertaken(payment, transaction)) return null
  if (!firstStepTypes.includes(transaction.type))
    return (departure) => sendFollowUp(deps, { payment, transaction, departure })
  // The authentication proof was held in memory only; a charge without it would be a different charge.
  if (payment.status === '3DS' || hasProof(payment.facts.threeDs)) return null
  if (isTooLateToSend(payment, transaction, sentMsAgo)) return null
  // Chapter 20 §10: a payout is sent to the provider once.
  if (payment.kind === 'credit' && payment.facts.brand) return null
  const data = await readStoredCharge(deps, payment)
  return data && ((departure) => charge(deps, { payment, transaction, departure }, data))
}

/** No payer waits for a plan payment, so it is never too late. */
const isTooLateToSend = ({ planDate }: PaymentRecord, { type }: TransactionRecord, sentMsAgo: number): boolean =>
  planDate !== null && type !== 'RETRY' ? false : sentMsAgo > firstStepResendMs

async function alertUnknownOutcome(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<void> {
  await deps.alerts.raise({
    kind: 'outcome-unknown',
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `The acquirer does not report the outcome of ${transaction.type} ${transaction.id}. Clarify it with the acquirer and decide it manually.`,
  })
}
