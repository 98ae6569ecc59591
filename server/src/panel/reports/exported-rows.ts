/** The lines of an exported file: its head, and the rows of one page of payments. */
import { feesOfTransactions } from '../../store/exports/fees-of-transactions.ts'
import { transactionsOfPayments } from '../../store/instance/exported-transactions.ts'
import type { ExportKind } from '../../store/instance/exports.ts'
import type { FoundPayment } from '../../store/payments/search/found-payment.ts'
import { midNamed, type SearchContext } from '../payments/payments.ts'
import { csvLine } from './csv.ts'
import { type ExportedMovement, movementColumns, paymentColumns, transactionColumns } from './export-columns.ts'

interface FileShape {
  readonly kind: ExportKind
  /** All of them if there is none. */
  readonly columns?: readonly string[]
}

const columnNames = (kind: ExportKind): readonly string[] =>
  (kind === 'payments' ? paymentColumns : transactionColumns).map(([name]) => name)

export const fileHead = ({ kind, columns }: FileShape): string =>
  csvLine(columnNames(kind).filter((name) => isChosen(columns, name)))

export async function fileRows(
  context: SearchContext,
  { kind, columns }: FileShape,
  page: readonly FoundPayment[],
): Promise<readonly string[]> {
  const [transactions, fees] = await context.reports.read(async (on) => [
    await transactionsOfPayments(on, page),
    isChosen(columns, 'fee') ? await feesOfTransactions(on, page) : new Map<string, bigint>(),
  ])
  const rows = page.map((payment) => ({
    payment,
    merchantName: context.configuration.merchant(payment.merchantId)?.name ?? null,
    midName: (midId: string | null) => midNamed(context, midId),
    transactions: transactions.get(payment.id) ?? [],
    feeOf: (transactionId: string) => fees.get(transactionId) ?? 0n,
  }))
  if (kind === 'payments') {
    const chosen = paymentColumns.filter(([name]) => isChosen(columns, name))
    return rows.map((row) => csvLine(chosen.map(([, cell]) => cell(row))))
  }
  const chosen = transactionColumns.filter(([name]) => isChosen(columns, name))
  return rows
    .flatMap((row) => row.transactions.map((transaction) => ({ ...row, transaction })))
    .map((row) => csvLine(chosen.map(([, cell]) => cell(row))))
}

/** The columns of a scheduled export, whose transactions are those that moved money. */
export const scheduledColumnNames = (kind: ExportKind): readonly string[] =>
  (kind === 'payments' ? paymentColumns : movementColumns).map(([name]) => name)

export const scheduledHead = ({ kind, columns }: FileShape): string =>
  csvLine(scheduledColumnNames(kind).filter((name) => isChosen(columns, name)))

export function movementLines(columns: readonly string[], rows: readonly ExportedMovement[]): readonly string[] {
  const chosen = movementColumns.filter(([name]) => columns.includes(name))
  return rows.map((row) => csvLine(chosen.map(([, cell]) => cell(row))))
}

const isChosen = (columns: readonly string[] | undefined, name: string): boolean =>
  columns === undefined || columns.includes(name)
