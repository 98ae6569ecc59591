/** Differences of the reconciliation as a table, for the people who clear them up elsewhere. Names of columns never change their meaning. */
import { formatAmount } from '#domain/money/money.ts'
import type { DifferenceFilter } from '../../store/finance/differences.ts'
import { listDifferences, type SettlementContext } from '../finance/settlements.ts'
import { csvLine } from '../reports/csv.ts'

type Shown = Awaited<ReturnType<typeof listDifferences>>[number]
type Row = Shown & { readonly merchant: string | null }
type Cell = Parameters<typeof csvLine>[0][number]

const rowsAtOnce = 1000

// biome-ignore format: a table is read in columns.
const columns: readonly (readonly [name: string, cell: (row: Row) => Cell])[] = [
  ['id',             ({ id }) => id],
  ['day',            ({ day }) => day],
  ['kind',           ({ kind }) => kind],
  ['state',          ({ resolvedAt, waiting }) => resolvedAt !== null ? 'resolved' : waiting === null ? 'open' : 'waiting'],
  ['currency',       ({ currency }) => currency],
  ['expected',       (row) => amount(row, row.oursMinor)],
  ['reported',       (row) => amount(row, row.theirsMinor)],
  ['mid_id',         ({ midId }) => midId],
  ['mid',            ({ midName }) => midName],
  ['merchant_id',    ({ merchantId }) => merchantId],
  ['merchant',       ({ merchant }) => merchant],
  ['payment_id',     ({ paymentId }) => paymentId],
  ['transaction_id', ({ transactionId }) => transactionId],
  ['row',            ({ ref }) => ref],
  ['payout',         ({ payout }) => payout],
  ['file_id',        ({ fileId }) => fileId],
  ['found_at',       ({ foundAt }) => foundAt],
  ['requested_by',   ({ waiting }) => waiting?.askedByName ?? null],
  ['resolved_at',    ({ resolvedAt }) => resolvedAt],
  ['note',           ({ note }) => note],
  // The amounts have no sign: money of a refund, chargeback and payout leaves.
  ['movement',       ({ movement }) => movement],
]

const amount = ({ currency, decimals }: Shown, minor: bigint | null): string | null =>
  minor === null ? null : formatAmount(minor, currency, decimals)

/** All that fit the filter, read page by page while the file is sent. */
export async function* differenceLines(
  context: SettlementContext,
  filter: Omit<DifferenceFilter, 'after' | 'limit'>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name))
  for (let after: string | null = null; ; ) {
    const page: readonly Shown[] = await listDifferences(context, { ...filter, after, limit: rowsAtOnce })
    yield page.map((one) => lineOf(context, one)).join('')
    if (page.length < rowsAtOnce) return
    after = page.at(-1)?.id ?? null
  }
}

function lineOf({ configuration }: SettlementContext, one: Shown): string {
  const merchant = one.merchantId === null ? null : (configuration.merchant(one.merchantId)?.name ?? null)
  return csvLine(columns.map(([, cell]) => cell({ ...one, merchant })))
}
