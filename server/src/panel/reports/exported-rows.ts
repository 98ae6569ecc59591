/** The lines of an exported file: its head, and the rows of one page of payments. */
import { exponentOf } from '#domain/money/money.ts'
import { listAcquirerFees } from '../../store/exports/acquirer-fees.ts'
import { readTransactionFees } from '../../store/exports/fees-of-transactions.ts'
import { listTransactionsOfPayments } from '../../store/instance/exported-transactions.ts'
import type { ExportKind } from '../../store/instance/exports.ts'
import type { FoundPayment } from '../../store/payments/search/found-payment.ts'
import { midNamed, type SearchContext } from '../payments/payments.ts'
import { csvLine } from './csv.ts'
import {
  type AcquirerCharge,
  acquirerColumns,
  type ExportedMovement,
  movementColumns,
  paymentColumns,
  transactionColumns,
} from './export-columns.ts'

interface FileShape {
  readonly kind: ExportKind
  /** All of them if there is none. */
  readonly columns?: readonly string[]
  /** True adds the columns of what the acquirers charged. */
  readonly withAcquirerFees?: boolean
}

const columnNames = (kind: ExportKind): readonly string[] =>
  (kind === 'payments' ? paymentColumns : transactionColumns).map(([name]) => name)

export const fileHead = ({ kind, columns, withAcquirerFees }: FileShape): string =>
  csvLine([
    ...columnNames(kind).filter((name) => isChosen(columns, name)),
    ...acquirerPart(withAcquirerFees).map(([name]) => name),
  ])

const acquirerPart = (isWanted = false): typeof acquirerColumns => (isWanted ? acquirerColumns : [])

export async function readFileRows(
  context: SearchContext,
  { kind, columns, withAcquirerFees = false }: FileShape,
  page: readonly FoundPayment[],
): Promise<readonly string[]> {
  const [transactions, fees, charges] = await context.reports.read(async (on) => {
    const found = await listTransactionsOfPayments(on, page)
    const ids = withAcquirerFees ? [...found.values()].flatMap((those) => those.map(({ id }) => id)) : []
    return [
      found,
      isChosen(columns, 'fee') ? await readTransactionFees(on, page) : new Map<string, bigint>(),
      Map.groupBy(await listAcquirerFees(on, ids), ({ transactionId }) => transactionId),
    ] as const
  })
  const acquirer = acquirerPart(withAcquirerFees)
  const sumsOf = (ids: readonly string[]): readonly AcquirerCharge[] =>
    [
      ...Map.groupBy(
        ids.flatMap((id) => charges.get(id) ?? []),
        ({ currency }) => currency,
      ),
    ].map(([currency, those]) => ({
      currency,
      decimals: exponentOf(currency, context.configuration.cryptoCurrencies()) ?? 2,
      feeMinor: those.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
    }))
  const rows = page.map((payment) => ({
    payment,
    merchantName: context.configuration.merchant(payment.merchantId)?.name ?? null,
    midName: (midId: string | null) => midNamed(context, midId),
    transactions: transactions.get(payment.id) ?? [],
    feeOf: (transactionId: string) => fees.get(transactionId) ?? 0n,
    acquirerFeesOf: sumsOf,
  }))
  if (kind === 'payments') {
    const chosen = paymentColumns.filter(([name]) => isChosen(columns, name))
    return rows.map((row) =>
      csvLine([...chosen.map(([, cell]) => cell(row)), ...acquirer.map(([, cell]) => cell(row))]),
    )
  }
  const chosen = transactionColumns.filter(([name]) => isChosen(columns, name))
  return rows
    .flatMap((row) => row.transactions.map((transaction) => ({ ...row, transaction })))
    .map((row) =>
      csvLine([
        ...chosen.map(([, cell]) => cell(row)),
        ...acquirer.map(([, cell]) => cell({ ...row, transactions: [row.transaction] })),
      ]),
    )
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
