/**
 * Outcomes that people decide because the acquirer does not report them, and money that was given back outside of this service.
 * Chapter 70 §1, decisions/certainty#two-people.
 *
 * The decision is written like any outcome: payment, transaction, ledger entries and callback by one statement. The transaction is watched
 * afterwards, because the acquirer may still report something else. The approval's id is stored with it, so that a repetition after a crash
 * finds what was written.
 */
import { formatAmount } from '#domain/money/money.ts'
import { firstStepTypes } from '#domain/payment/payment.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { HandDecision } from '../../contracts/hand-decision.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { settleByHand } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'

export interface HandRequest {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  readonly byHand: HandDecision
  /** The acquirer's reference; null if nothing was executed. */
  readonly reference: string | null
  /** What the acquirer executed; null if nothing was. */
  readonly amountMinor: bigint | null
}

export type HandResult =
  | { readonly kind: 'decided'; readonly payment: PaymentRecord; readonly transaction: TransactionRecord }
  | { readonly kind: 'refused'; readonly reason: string }

export async function decideByHand(deps: Deps, request: HandRequest): Promise<HandResult> {
  const found = await findTransaction(deps, request)
  if (!found) return refuse('The transaction does not exist.')
  const { payment, transaction } = found
  if (transaction.facts.byHand?.approvalId === request.byHand.approvalId) return { kind: 'decided', ...found }
  if (payment.openTransaction !== transaction.id) return refuse(reportedMeanwhile)
  const fault = amountFault(payment, transaction, request)
  if (fault !== null) return refuse(fault)

  const { date } = request.byHand
  const decided = { ...transaction, facts: { ...transaction.facts, byHand: request.byHand } }
  const result = await settleByHand(deps, { payment, transaction: decided }, outcomeOf(payment, transaction, request), {
    ending: { reason: 'outcome-unknown' },
    watched: true,
    ...(date === null ? {} : { executedOn: date }),
  })
  if (result === 'closed') return refuse(reportedMeanwhile)
  if (result === 'not-allowed')
    return refuse(
      `A payment in status ${payment.status} cannot take this outcome. Record that it was not executed, and give the amount back at the acquirer.`,
    )
  return { kind: 'decided', ...result }
}

const reportedMeanwhile = 'The acquirer has reported the outcome in the meantime.'
const refuse = (reason: string): HandResult => ({ kind: 'refused', reason })

async function findTransaction(deps: Deps, { merchantId, paymentId, transactionId }: HandRequest) {
  const payment = await deps.payments.find(merchantId, paymentId)
  const transactions = payment ? await deps.payments.listTransactions(merchantId, paymentId) : []
  const transaction = transactions.find(({ id }) => id === transactionId)
  return payment && transaction ? { payment, transaction } : null
}

/** Why an execution of this amount cannot be recorded; null if it can. Also asked before the request is made. */
export function amountFault(
  payment: PaymentRecord,
  transaction: TransactionRecord,
  { byHand, amountMinor }: Pick<HandRequest, 'amountMinor'> & { readonly byHand: Pick<HandDecision, 'decision'> },
): string | null {
  if (byHand.decision !== 'executed') return null
  const text = `${formatAmount(transaction.amountMinor, payment.currency, payment.amountDecimals)} ${payment.currency}`
  if (amountMinor === null || amountMinor <= 0n) return 'Enter the amount that the acquirer executed.'
  if (payment.facts.openAmount && isReceipt(payment, transaction)) return null
  if (amountMinor < transaction.amountMinor)
    return `The acquirer executed less than ${text}. Record that it was not executed, and give the amount back at the acquirer.`
  if (amountMinor > transaction.amountMinor && !isReceipt(payment, transaction))
    return `The acquirer can have executed ${text} only. Check the reference and the amount.`
  return null
}

/** True if the payer decides the amount, as with crypto currencies. Chapter 20 §6.6. */
const isReceipt = ({ kind, facts }: PaymentRecord, { type }: TransactionRecord): boolean =>
  kind === 'sale' && facts.brand !== undefined && firstStepTypes.includes(type)

function outcomeOf(payment: PaymentRecord, transaction: TransactionRecord, request: HandRequest): Outcome {
  const { byHand, reference, amountMinor } = request
  if (byHand.decision !== 'executed')
    return { result: 'not-executed', reason: 'The acquirer did not execute it', facts: {} }
  const received = amountMinor !== null && isReceipt(payment, transaction) ? { received: String(amountMinor) } : {}
  return { result: 'approved', facts: { ...(reference === null ? {} : { reference }), ...received } }
}
