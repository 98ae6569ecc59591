/** Gives the coming months parts of their own, ahead of time. Decision 0200. */
import { isDistributed } from '../database/buckets.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { claimsAreFilled, fillClaims } from './claim-fill.ts'
import { monthStart } from './month-bounds.ts'
import { withMonthLock } from './month-lock.ts'
import { monthTables } from './month-tables.ts'
import { type Part, readParts } from './parts.ts'
import { type SplitResult, splitOff } from './split.ts'

/** The next two months. */
const preparedMonths = 2
/** A constraint on the last part refuses the month from its first moment on, so it must be gone long before. */
const leastAheadMs = 3 * 86_400_000

interface Preparation {
  readonly made: readonly Date[]
  /** Why a month could not be split off; null if all are there. */
  readonly obstacle: Exclude<SplitResult, 'split'> | 'claims' | null
}

/** Null if another process does it, and in a distributed database, which keeps the parts it has. */
export const prepareMonths = async (pool: Pool, now: Date): Promise<Preparation | null> =>
  (await isDistributed(pool)) ? null : withMonthLock(pool, () => prepare(pool, now))

async function prepare(pool: Pool, now: Date): Promise<Preparation> {
  const months: Date[] = []
  for (const month of missingMonths(await readParts(pool), now)) {
    if (!(await claimsAreFilled(pool))) await fillClaims(pool)
    if (!(await claimsAreFilled(pool))) return { made: months, obstacle: 'claims' }
    const last = (await readParts(pool)).at(-1)
    if (!last) throw new Error('The table of payments has no part.')
    const result = await splitOff(pool, last, month)
    if (result !== 'split') return { made: months, obstacle: result }
    months.push(month)
  }
  return { made: months, obstacle: null }
}

/** The server analyses each part by itself, and never the whole table, whose figures joins are planned with. */
export const analyseTables = (pool: Pool): Promise<unknown> =>
  inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    for (const { table } of monthTables) await client.query(`analyze ${table}`)
  })

/** Months from the next on that the last part would still receive. One that begins within days stays in the part before it. */
export function missingMonths(parts: readonly Part[], now: Date): readonly Date[] {
  const last = parts.at(-1)?.from?.getTime() ?? Number.NEGATIVE_INFINITY
  return Array.from({ length: preparedMonths }, (_, index) => monthStart(now, index + 1)).filter(
    (month) => month.getTime() > last && month.getTime() - now.getTime() >= leastAheadMs,
  )
}
