/**
 * An acquirer says that a transaction is decided: it is asked now instead of by plan. Chapter 20 §6.3, §15.
 *
 * The report proves nothing by itself. A question without an answer costs nothing where the plan asks again anyway; only of a
 * charge that was written off nobody would, so that then the report is read once more.
 */
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { statusAnswer } from '../exchange/status-query.ts'
import { takeBack, wasWrittenOff } from '../outcome/late-success.ts'
import { settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { decidedAway } from './payer-step.ts'

type Decided = Extract<AcquirerEvent, { kind: 'decided' }>

export async function enterDecision(deps: Deps, midId: string, event: Decided): Promise<void> {
  const payment = await deps.payments.atMid(midId, event.paymentId)
  if (!payment) return
  const transactions = await deps.payments.transactions(payment.merchantId, payment.id)
  const transaction = transactions.find(({ id }) => id === event.transactionId)
  if (!transaction) return
  if (wasWrittenOff(transaction)) return afterWriteOff(deps, payment, transaction)
  if (payment.openTransaction === transaction.id) await whileOpen(deps, payment, transaction)
}

/** While it is still being sent its own answer is on the way. */
async function whileOpen(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<void> {
  if (transaction.state === 'sent' || (await decidedAway(deps, payment, transaction.id))) return
  const answer = await statusAnswer(deps, payment, transaction)
  if (answer.result !== 'approved' && answer.result !== 'declined') return
  await settle(deps, { payment, transaction }, answer, { ending: { reason: 'outcome-unknown' } })
}

async function afterWriteOff(deps: Deps, payment: PaymentRecord, charge: TransactionRecord): Promise<void> {
  const answer = await statusAnswer(deps, payment, charge)
  if (answer.result === 'approved') return takeBack(deps, charge, answer.facts)
  if (answer.result === 'unknown') throw new Error(`The acquirer does not answer about ${charge.id}.`)
}
