/** The columns of exported files: a row for each payment, transaction or movement of money. Names of columns never change their meaning. */
import { formatAmount } from '#domain/money/money.ts'
import type { Movement } from '../../store/exports/movements.ts'
import type { ExportedTransaction } from '../../store/instance/exported-transactions.ts'
import type { FoundPayment } from '../../store/payments/search/found-payment.ts'
import type { csvLine } from './csv.ts'

interface ExportedPayment {
  readonly payment: FoundPayment
  readonly merchantName: string | null
  /** The name of a MID by its id. */
  readonly midName: (midId: string | null) => string | null
  /** Oldest first. */
  readonly transactions: readonly ExportedTransaction[]
  /** What the operator charged for a transaction. */
  readonly feeOf: (transactionId: string) => bigint
  /** What acquirers charged for transactions, per currency in which they pay; with the decimals of each. */
  readonly acquirerFeesOf: (transactionIds: readonly string[]) => readonly AcquirerCharge[]
}

export interface AcquirerCharge {
  readonly currency: string
  readonly decimals: number
  readonly feeMinor: bigint
}

type Cell = Parameters<typeof csvLine>[0][number]
type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[]

const amount = ({ currency, amountDecimals }: FoundPayment, minor: bigint): string =>
  formatAmount(minor, currency, amountDecimals)

/** Refunds have references of their own, which are in the export of transactions. */
const charging = ['SALE', 'AUTH', 'CAPTURE', 'DEBIT', 'CREDIT', 'TRANSFER', 'RETRY']

/** The reference of the charge: of the last of its transactions that has one. */
const ofCharge = (
  { transactions }: ExportedPayment,
  name: 'reference' | 'arn' | 'rrn' | 'approvalCode',
): string | null =>
  transactions.findLast((one) => charging.includes(one.type) && one.state === 'success' && one[name] !== null)?.[
    name
  ] ?? null

// biome-ignore format: a table is read in columns.
export const paymentColumns: Columns<ExportedPayment> = [
  ['id',             ({ payment }) => payment.id],
  ['created_at',     ({ payment }) => payment.createdAt],
  ['merchant_id',    ({ payment }) => payment.merchantId],
  ['merchant',       ({ merchantName }) => merchantName],
  ['protocol',       ({ payment }) => payment.protocol],
  ['action',         ({ payment }) => payment.action],
  ['kind',           ({ payment }) => payment.kind],
  ['status',         ({ payment }) => payment.status],
  ['test',           ({ payment }) => payment.test],
  ['order_id',       ({ payment }) => payment.orderId],
  ['attempt',        ({ payment }) => payment.attempt],
  ['amount',         ({ payment }) => amount(payment, payment.amountMinor)],
  ['captured',       ({ payment }) => amount(payment, payment.kind === 'credit' ? 0n : payment.capturedMinor)],
  ['refunded',       ({ payment }) => amount(payment, payment.refundedMinor)],
  ['charged_back',   ({ payment }) => amount(payment, payment.chargedBackMinor)],
  ['paid_out',       ({ payment }) => amount(payment, payment.kind === 'credit' ? payment.capturedMinor : 0n)],
  ['currency',       ({ payment }) => payment.currency],
  ['financial_day',  ({ payment }) => payment.financialDay],
  ['card',           ({ payment }) => payment.cardMask],
  ['wallet',         ({ payment }) => payment.wallet],
  ['brand',          ({ payment }) => payment.brand],
  ['payer_email',    ({ payment }) => payment.payerEmail],
  ['decline_reason', ({ payment }) => payment.declineReason],
  ['mid_id',         ({ payment }) => payment.midId],
  ['mid',            ({ payment, midName }) => midName(payment.midId)],
  ['reference',      (row) => ofCharge(row, 'reference')],
  ['arn',            (row) => ofCharge(row, 'arn')],
  ['rrn',            (row) => ofCharge(row, 'rrn')],
  ['approval_code',  (row) => ofCharge(row, 'approvalCode')],
  ['fee',            ({ payment, transactions, feeOf }) => amount(payment, transactions.reduce((sum, { id }) => sum + feeOf(id), 0n))],
]

/** Empty as long as no settlement file has a row; several currencies in both cells in the same order. */
const acquirerCells = (charges: readonly AcquirerCharge[]): readonly [fees: Cell, currencies: Cell] => [
  charges.map(({ feeMinor, currency, decimals }) => formatAmount(feeMinor, currency, decimals)).join(' '),
  charges.map(({ currency }) => currency).join(' '),
]

/** Of exports by hand, for users who may see settlement files (decisions/exports#acquirers-fees). */
export const acquirerColumns: Columns<Pick<ExportedPayment, 'transactions' | 'acquirerFeesOf'>> = [
  ['acquirer_fee', (row) => acquirerCells(row.acquirerFeesOf(row.transactions.map(({ id }) => id)))[0]],
  ['acquirer_fee_currency', (row) => acquirerCells(row.acquirerFeesOf(row.transactions.map(({ id }) => id)))[1]],
]

interface ExportedTransactionRow extends ExportedPayment {
  readonly transaction: ExportedTransaction
}

// biome-ignore format: a table is read in columns.
const ofTransaction: Columns<Omit<ExportedTransactionRow, 'feeOf' | 'acquirerFeesOf'>> = [
  ['id',             ({ transaction }) => transaction.id],
  ['payment_id',     ({ payment }) => payment.id],
  ['created_at',     ({ transaction }) => transaction.createdAt],
  ['ended_at',       ({ transaction }) => transaction.endedAt],
  ['merchant_id',    ({ payment }) => payment.merchantId],
  ['merchant',       ({ merchantName }) => merchantName],
  ['order_id',       ({ payment }) => payment.orderId],
  ['type',           ({ transaction }) => transaction.type],
  ['state',          ({ transaction }) => transaction.state],
  ['test',           ({ payment }) => payment.test],
  ['amount',         ({ payment, transaction }) => amount(payment, transaction.amountMinor)],
  ['currency',       ({ payment }) => payment.currency],
  ['card',           ({ payment }) => payment.cardMask],
  ['decline_reason', ({ transaction }) => transaction.declineReason],
  ['mid_id',         ({ transaction }) => transaction.midId],
  ['mid',            ({ transaction, midName }) => midName(transaction.midId)],
  ['reference',      ({ transaction }) => transaction.reference],
  ['arn',            ({ transaction }) => transaction.arn],
  ['rrn',            ({ transaction }) => transaction.rrn],
  ['approval_code',  ({ transaction }) => transaction.approvalCode],
]

/** Of exports by hand. The financial day is that of the payment; columns of scheduled files stay as they are. */
export const transactionColumns: Columns<ExportedTransactionRow> = [
  ...ofTransaction,
  ['financial_day', ({ payment }) => payment.financialDay],
  ['fee', ({ payment, transaction, feeOf }) => amount(payment, feeOf(transaction.id))],
]

export interface ExportedMovement extends Omit<ExportedTransactionRow, 'feeOf' | 'acquirerFeesOf'> {
  readonly movement: Movement
}

// biome-ignore format: a table is read in columns.
const ofMovement: Columns<ExportedMovement> = [
  // A chargeback whose money came back has two rows, of which only the first is the chargeback.
  ['type',           ({ transaction, movement }) => (movement.isReturn ? 'CHARGEBACK_RETURN' : transaction.type)],
  ['amount',         ({ payment, transaction, movement }) => amount(payment, movement.isReturn ? movement.returnedMinor : transaction.amountMinor)],
  ['moved_at',       ({ movement }) => movement.at],
  ['held_change',    ({ payment, movement }) => amount(payment, movement.heldMinor)],
  ['settled_change', ({ payment, movement }) => amount(payment, movement.settledMinor)],
  ['fee',            ({ payment, movement }) => amount(payment, movement.feeMinor)],
  ['reserve',        ({ payment, movement }) => amount(payment, movement.reserveMinor)],
]

/** Those of a transaction, and what it moved. */
export const movementColumns: Columns<ExportedMovement> = [
  ...ofTransaction.map((column) => ofMovement.find(([name]) => name === column[0]) ?? column),
  ...ofMovement.filter(([name]) => !ofTransaction.some(([known]) => known === name)),
]
