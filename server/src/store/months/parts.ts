/** The parts by month that exist, read from the catalogue. */
import { type Queryable, query, sql } from '../database/pool.ts'
import { type Bounds, boundsFrom, monthStart } from './month-bounds.ts'

export interface Part extends Bounds {
  /** The end of its tables' names: `first`, or a month such as `2026_12`. */
  readonly suffix: string
}

// All tables are split and removed together, so the parts of payments are those of all.
const listParts = sql<{ readonly suffix: string; readonly bounds: string }, readonly []>(
  'months.parts',
  `select substr(part.relname, length('payments_') + 1) as suffix, pg_get_expr(part.relpartbound, part.oid) as bounds
   from pg_inherits link join pg_class part on part.oid = link.inhrelid
   where link.inhparent = 'public.payments'::regclass and not link.inhdetachpending`,
)

/** From the oldest to the newest; the last one has no end. */
export async function readParts(on: Queryable): Promise<readonly Part[]> {
  const rows = await query(on, listParts, [])
  const parts = rows.map(({ suffix, bounds }) => ({ suffix, ...boundsFrom(bounds) }))
  return parts.toSorted((one, other) => startOf(one) - startOf(other))
}

const startOf = ({ from }: Bounds): number => from?.getTime() ?? Number.NEGATIVE_INFINITY

/** The part that receives the payments of a moment. */
export const partAt = (parts: readonly Part[], moment: Date): Part | undefined =>
  parts.findLast((part) => startOf(part) <= moment.getTime())

/** The next two months are prepared. */
export const preparedMonths = 2

/**
 * How many of the coming months have a part of their own, up to the last one that was made for them. Parts of a later time, which a clock
 * that was wrong has made, do not count.
 */
export function monthsAhead(parts: readonly Part[], now: Date): number {
  const starts = new Set(parts.map(({ from }) => from?.getTime()))
  const ahead = Array.from({ length: preparedMonths }, (_, index) => index + 1)
  return ahead.findLast((count) => starts.has(monthStart(now, count).getTime())) ?? 0
}
