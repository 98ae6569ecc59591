/** A transaction as the acquirer is told of it later: in a question, a follow-up, or when the payer is back. */
import type { TransactionType } from '#domain/payment/payment.ts'
import { firstTransaction } from '#domain/payment/rules.ts'
import type { FollowUp, MoneyOperation, SentTransaction } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

type History = Pick<FollowUp, 'first' | 'captures'>

/** `first` is another charge than the payment's own when a late one is reversed. */
export async function readHistory(
  { payments }: Pick<Deps, 'payments'>,
  payment: PaymentRecord,
  first: string = payment.firstTransaction,
): Promise<History> {
  const transactions = await payments.listTransactions(payment.merchantId, payment.id)
  const charge = transactions.find(({ id }) => id === first)
  if (!charge) throw new Error(`Transaction ${first} was not found.`)
  const captures = transactions.filter(({ type, state }) => type === 'CAPTURE' && state === 'success')
  return { first: firstOf(charge), captures: captures.map(captureOf) }
}

export async function readSentTransaction(
  deps: Pick<Deps, 'payments'>,
  payment: PaymentRecord,
  transaction: TransactionRecord,
): Promise<SentTransaction> {
  const isFirst = transaction.id === payment.firstTransaction || firstOperation(payment, transaction) !== undefined
  const { first } = isFirst ? { first: firstOf(transaction) } : await readHistory(deps, payment)
  const { id: transactionId, reference, amountMinor, createdAt } = transaction
  const operation = operationOf(payment, transaction)
  const { id: paymentId, currency } = payment
  return { transactionId, paymentId, operation, reference, amountMinor, currency, createdAt, first }
}

const firstOf = ({ id: transactionId, reference, amountMinor, createdAt, facts }: TransactionRecord) => ({
  transactionId,
  reference,
  amountMinor,
  createdAt,
  facts,
})

const captureOf = ({ id: transactionId, reference, amountMinor }: TransactionRecord) => ({
  transactionId,
  reference,
  amountMinor,
})

type FirstOperation = 'sale' | 'authorize' | 'debit' | 'credit' | 'transfer'

const firstOperations: Partial<Readonly<Record<TransactionType, FirstOperation>>> = {
  SALE: 'sale',
  AUTH: 'authorize',
  DEBIT: 'debit',
  CREDIT: 'credit',
  TRANSFER: 'transfer',
}

const laterOperations: Partial<Readonly<Record<TransactionType, 'capture' | 'refund' | 'reverse' | 'void'>>> = {
  CAPTURE: 'capture',
  REFUND: 'refund',
  REVERSAL: 'reverse',
  VOID: 'void',
}

/** By the type that the intent records, so that the acquirer cannot be asked for anything else. A RETRY repeats the first charge. */
export const firstOperation = (payment: PaymentRecord, { type }: TransactionRecord): FirstOperation | undefined =>
  firstOperations[type === 'RETRY' ? firstTransaction(payment.action, payment.holds) : type]

export const laterOperation = ({ type }: TransactionRecord): 'capture' | 'refund' | 'reverse' | 'void' | undefined =>
  laterOperations[type]

function operationOf(payment: PaymentRecord, transaction: TransactionRecord): MoneyOperation {
  const operation = firstOperation(payment, transaction) ?? laterOperation(transaction)
  if (!operation) throw new Error(`Transaction type ${transaction.type} is nothing that an acquirer executes.`)
  return operation
}
