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

/** The transaction waits for the payer, who was sent away. */
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
    // A reversal is told as a refund; its order_status says which it was.
    case 'REFUND':
    case 'REVERSAL':
      return 'refund'
    case 'CHARGEBACK':
      return 'chargeback'
    default:
      return ofFirstStep(facts)
  }
}

/** Every step of a debit is a `debit`; a purchase and a transfer name the step, and the outcome by what they are. */
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

/** Reaching a payer's step, and issuing an address, is what those callbacks tell: it went well. */
export function statusOf(facts: PaymentFacts, type: CallbackType): TransactionStatus {
  return isPayerStep(facts) || type === 'init' ? 'success' : transactionStatus(reportedTransaction(facts))
}
