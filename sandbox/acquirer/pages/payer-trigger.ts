/** `POST /trigger/:payment`: a person or a test acts in the payer's place, without a browser. Chapter 20 §18. */

import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'
import type { Acquirer } from '../acquirer.ts'
import { text } from '../payment-method.ts'
import { type Decision, reasonOf, stateOf, type Transaction } from '../transaction.ts'
import { cancelledByPayer, declinedAsExpired } from '../verdict.ts'
import { declinedAs, moneyDecision, moneyWords } from './payer-report.ts'

export async function triggerPayer(acquirer: Acquirer, { parameters: [paymentId = ''], body }: Call): Promise<Reply> {
  acquirer.settleDue()
  const transaction = acquirer.book.awaiting(paymentId)
  if (!transaction) return failure(404, 'nothing_awaited', 'No transaction of this payment is waiting for the payer.')

  const { report, amount } = isObject(body) ? body : {}
  const decision = decisionOf(transaction, text(report) ?? '', text(amount) ?? '')
  if (typeof decision === 'string') return failure(400, 'invalid_request', decision)
  await acquirer.decide(transaction, decision ?? undefined)
  return { status: 200, body: decidedAs(transaction) }
}

/** Null means the outcome of the payer's consent; a text is an error. */
function decisionOf(transaction: Transaction, report: string, amount: string): Decision | null | string {
  const word = moneyWords.find((one) => one === report)
  if (transaction.record.money) {
    return word ? moneyDecision(transaction, word, amount) : `Allowed actions: ${moneyWords.join(', ')}.`
  }
  if (amount !== '') return 'Only crypto and voucher payments take an amount.'
  if (report === 'approve') return null
  if (report === 'decline') return declinedAs(cancelledByPayer)
  return report === 'expired' ? declinedAs(declinedAsExpired) : 'Allowed actions: approve, decline, expired.'
}

function decidedAs(transaction: Transaction): Readonly<Record<string, unknown>> {
  const { record, decision } = transaction
  const reason = reasonOf(transaction)
  return {
    payment_id: record.paymentId,
    transaction_id: record.id,
    state: stateOf(transaction),
    ...(reason !== null && { reason }),
    ...(decision?.received !== undefined && { received: decision.received }),
    currency: record.currency,
  }
}
