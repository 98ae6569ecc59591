/**
 * An acquirer notifies us that a transaction is decided: query its status now instead of on schedule. Chapter 20 §6.3, §15.
 *
 * The notification proves nothing by itself. If the acquirer does not answer the query, the reconciler queries again on schedule,
 * except for a charge that was written off; for that one this throws, so that the event is read again.
 */

import type { AcquirerEvent, Answer, Outcome } from '../../connectors/connector.ts'
import { isIdOf } from '../../connectors/merchant-reference.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { type EventEntry, eventEntered, tryLater } from '../exchange/event-entry.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { alertContradiction, contradicts } from '../outcome/contradiction.ts'
import { isDecided } from '../outcome/interpret-outcome.ts'
import { reverseLateCharge, wasWrittenOff } from '../outcome/late-success.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { settleDecidedRedirect } from './payer-step.ts'

type DecisionEvent = Extract<AcquirerEvent, { kind: 'decided' }>

export async function handleDecidedEvent(deps: Deps, midId: string, event: DecisionEvent): Promise<EventEntry> {
  const found = await deps.payments.readAtMid(midId, event.paymentId)
  if (!found) return tryLater('The payment is not known at this MID.')
  const { payment, transactions } = found
  const transaction = findDecided(payment, transactions, event)
  if (!transaction) return tryLater('The transaction is not known.')
  return applyDecision(deps, { payment, transaction, outcome: event.outcome })
}

export async function applyDecision(deps: Deps, decided: DecidedTransaction): Promise<EventEntry> {
  const { payment, transaction } = decided
  // The process that sent it is still waiting for the answer and will settle it.
  if (transaction.state === 'sent') return tryLater('The answer to the request is still awaited.')
  if (wasWrittenOff(transaction)) await reverseIfApproved(deps, decided)
  else if (payment.openTransaction === transaction.id) await settleOpen(deps, decided)
  else if (transaction.facts.byHand && contradicts(transaction, await answerFor(deps, decided)))
    await alertContradiction(deps, payment, transaction)
  return eventEntered
}

/** Null while the answer that tells the acquirer's reference of the open transaction is not stored: the event may be about that one. */
function findDecided(
  { openTransaction }: PaymentRecord,
  transactions: readonly TransactionRecord[],
  { acquirerReference, transactionId }: DecisionEvent,
): TransactionRecord | null {
  const named = transactions.find((candidate) => isIdOf(transactionId, candidate)) ?? null
  if (acquirerReference === undefined) return named
  const referenced = transactions.find(({ reference }) => reference === acquirerReference)
  if (referenced) return referenced
  const open = transactions.find(({ id }) => id === openTransaction)
  return open && open !== named && open.reference === null ? null : named
}

interface DecidedTransaction {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly outcome: Outcome | undefined
}

/** The acquirer's own word counts; a verified event counts where the acquirer cannot be asked. Chapter 60 §2. */
async function answerFor(deps: Deps, { payment, transaction, outcome }: DecidedTransaction): Promise<Answer> {
  const answer = await queryStatus(deps, payment, transaction)
  return answer.result === 'cannot-be-asked' && outcome ? outcome : answer
}

async function settleOpen(deps: Deps, decided: DecidedTransaction): Promise<void> {
  const { payment, transaction, outcome } = decided
  if (await settleDecidedRedirect(deps, payment, transaction.id, outcome)) return
  const answer = await answerFor(deps, decided)
  if (!isDecided(answer)) return
  await settle(deps, { payment, transaction }, answer, { ending: { reason: 'outcome-unknown' } })
}

async function reverseIfApproved(deps: Deps, decided: DecidedTransaction): Promise<void> {
  const { transaction: charge } = decided
  const answer = await answerFor(deps, decided)
  if (answer.result === 'approved') return reverseLateCharge(deps, charge, answer.facts)
  if (answer.result === 'unknown') throw new Error(`The acquirer did not report the outcome of ${charge.id}.`)
}
