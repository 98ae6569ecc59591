/** Which `type` and `status` a callback of Checkout has: the decision matrix of chapter 30 §5.2 and §5.3. */
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { reportedTransaction } from '../kit/reported-values.ts'
import { type TransactionStatus, transactionStatus } from './words.ts'

export type CallbackType =
  | 'sale'
  | '3ds'
  | 'redirect'
  | 'init'
  | 'capture'
  | 'void'
  | 'refund'
  | 'recurring'
  | 'debit'
  | 'credit'
  | 'transfer'
  | 'chargeback'

/** The transaction waits for the payer, who was redirected. */
export function isPayerStep(facts: PaymentFacts): boolean {
  const { state } = reportedTransaction(facts)
  return state === 'waiting' && (facts.status === '3DS' || facts.status === 'REDIRECT')
}

export function typeOf(facts: PaymentFacts): CallbackType {
  switch (reportedTransaction(facts).type) {
    case 'CAPTURE':
      return 'capture'
    case 'VOID':
      return 'void'
    // A reversal is reported as a refund; order_status distinguishes them.
    case 'REFUND':
    case 'REVERSAL':
      return 'refund'
    case 'CHARGEBACK':
      return 'chargeback'
    default:
      return ofFirstStep(facts)
  }
}

/** Every step of a debit has the type `debit`. Other payments have the type of the payer step, and for the outcome their own kind. */
function ofFirstStep(facts: PaymentFacts): CallbackType {
  const { kind, status, crypto } = facts
  const transaction = reportedTransaction(facts)
  if (isRecurring(facts)) return 'recurring'
  if (kind === 'debit') return 'debit'
  if (isPayerStep(facts)) return status === '3DS' ? '3ds' : 'redirect'
  if (transaction.type === '3DS' && transactionStatus(transaction) === 'undefined') return '3ds'
  if (kind === 'sale' && crypto?.address && transaction.state === 'waiting') return 'init'
  return kind
}

/** Charged on a chain: by request, by a plan or by a retry. */
const isRecurring = ({ action, recurring }: PaymentFacts): boolean =>
  recurring !== null && !recurring.init && action.startsWith('RECURRING_')

/** A callback for a payer step or an issued address has the status of success, because reaching it is the event it reports. */
export function statusOf(facts: PaymentFacts, type: CallbackType): TransactionStatus {
  return isPayerStep(facts) || type === 'init' ? 'success' : transactionStatus(reportedTransaction(facts))
}
