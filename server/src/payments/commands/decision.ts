/**
 * An acquirer notifies us that a transaction is decided: query its status now instead of on schedule. Chapter 20 §6.3, §15.
 *
 * The notification proves nothing by itself. If the acquirer does not answer the query, the reconciler queries again on schedule,
 * except for a charge that was written off: this throws then, so that the event is read again.
 */
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { reverseLateCharge, wasWrittenOff } from '../outcome/late-success.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { settleDecidedRedirect } from './payer-step.ts'

type DecisionEvent = Extract<AcquirerEvent, { kind: 'decided' }>

export async function handleDecidedEvent(deps: Deps, midId: string, event: DecisionEvent): Promise<void> {
  const payment = await deps.payments.findAtMid(midId, event.paymentId)
  if (!payment) return
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  const transaction = transactions.find(({ id }) => id === event.transactionId)
  if (!transaction) return
  if (wasWrittenOff(transaction)) return reverseIfApproved(deps, payment, transaction)
  if (payment.openTransaction === transaction.id) await settleOpen(deps, payment, transaction)
}

/** A transaction in state `sent` is skipped: the process that sent it is still waiting for the answer and will settle it. */
async function settleOpen(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<void> {
  if (transaction.state === 'sent' || (await settleDecidedRedirect(deps, payment, transaction.id))) return
  const answer = await queryStatus(deps, payment, transaction)
  if (answer.result !== 'approved' && answer.result !== 'declined') return
  await settle(deps, { payment, transaction }, answer, { ending: { reason: 'outcome-unknown' } })
}

async function reverseIfApproved(deps: Deps, payment: PaymentRecord, charge: TransactionRecord): Promise<void> {
  const answer = await queryStatus(deps, payment, charge)
  if (answer.result === 'approved') return reverseLateCharge(deps, charge, answer.facts)
  if (answer.result === 'unknown') throw new Error(`The acquirer did not report the outcome of ${charge.id}.`)
}
