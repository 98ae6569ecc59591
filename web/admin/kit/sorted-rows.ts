/** The order of a table by one of its columns. */

/** What a row is ordered by; rows without a value come last in both directions. */
export type SortValue = string | number | bigint | null

export interface SortOrder {
  /** The title of the column. */
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}

export function sortedRows<Row>(
  rows: readonly Row[],
  rankOf: (row: Row) => SortValue,
  direction: SortOrder['direction'],
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => compare(rankOf(one), rankOf(other), sign))
}

/** The first click orders from the largest or newest, the second turns the order around, the third returns to the list's own. */
export function nextOrder(before: SortOrder | null, column: string): SortOrder | null {
  if (before?.column !== column) return { column, direction: 'descending' }
  return before.direction === 'descending' ? { column, direction: 'ascending' } : null
}

/** Amounts of currencies with different decimals, comparable as the numbers that are shown. */
export const amountRank = (minor: string, decimals: number): bigint => BigInt(minor) * 10n ** BigInt(18 - decimals)

function compare(one: SortValue, other: SortValue, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'string' && typeof other === 'string') return sign * words.compare(one, other)
  if (one === other) return 0
  return one < other ? -sign : sign
}

const words = new Intl.Collator(undefined, { numeric: true })
