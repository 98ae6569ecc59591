/**
 * Whether the ledger is whole. Between the moment in which a month of payments is detached and the one in which its balances are carried forward, sums over all
 * entries lack that month; after an interruption for up to a day. See decisions/statements#removed-months.
 */
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import { lockMonthsShared } from './month-lock.ts'

const countRemovals = sql<{ removals: number; open: number }, readonly []>(
  'months.count-removals',
  `select count(*)::int as removals, (count(*) filter (where ended_at is null))::int as open from month_removals`,
)

async function readRemovals(on: Queryable): Promise<{ readonly removals: number; readonly isOpen: boolean }> {
  const [counted] = await query(on, countRemovals, [])
  return { removals: counted?.removals ?? 0, isOpen: (counted?.open ?? 0) > 0 }
}

/** For sums that are shown: null if a month was being removed meanwhile. */
export async function readWholeLedger<T>(on: Queryable, read: () => Promise<T>): Promise<T | null> {
  const before = await readRemovals(on)
  if (before.isOpen) return null
  const found = await read()
  const after = await readRemovals(on)
  return after.isOpen || after.removals !== before.removals ? null : found
}

/** For sums that decide: if true, no month is removed until the transaction ends. */
export const lockWholeLedger = async (client: PoolClient): Promise<boolean> =>
  (await lockMonthsShared(client)) && !(await readRemovals(client)).isOpen
