/** Gives the coming months parts of their own, ahead of time. See decisions/months#the-last-part-has-no-end. */
import { dayMs } from '#domain/time.ts'
import { isDistributed } from '../database/buckets.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { claimsAreFilled, fillClaims } from './claim-fill.ts'
import { monthStart } from './month-bounds.ts'
import { withMonthLock } from './month-lock.ts'
import { monthTables } from './month-tables.ts'
import { type Part, partAt, preparedMonths, readParts } from './parts.ts'
import { type SplitResult, splitOff } from './split.ts'

/** A constraint on the part refuses the month from its first moment on, so it must be gone long before. */
const leastAheadMs = 3 * dayMs

interface Preparation {
  readonly made: readonly Date[]
  /** Why a month could not be split off; null if all are there. */
  readonly obstacle: Exclude<SplitResult, 'split'> | 'claims' | null
}

/** Null if another process does it. */
export const prepareMonths = (pool: Pool, now: Date): Promise<Preparation | null> =>
  withMonthLock(pool, () => prepare(pool, now))

async function prepare(pool: Pool, now: Date): Promise<Preparation> {
  const distributed = await isDistributed(pool)
  // An instance has its claims when it is distributed, and could not fill them any more.
  if (!(distributed || (await claimsAreFilled(pool)))) await fillClaims(pool)
  const months: Date[] = []
  for (const month of missingMonths(await readParts(pool), now)) {
    if (!(distributed || (await claimsAreFilled(pool)))) return { made: months, obstacle: 'claims' }
    const part = partAt(await readParts(pool), month)
    if (!part) throw new Error('No part of the tables of payments receives the coming month.')
    const result = await splitOff(pool, { part, month, isDistributed: distributed })
    if (result !== 'split') return { made: months, obstacle: result }
    months.push(month)
  }
  return { made: months, obstacle: null }
}

/** The server analyses each part by itself, and never the whole table, whose figures joins are planned with. */
export async function analyseTables(pool: Pool): Promise<void> {
  for (const { table } of monthTables)
    await inTransaction(pool, async (client) => {
      await client.query('set local statement_timeout = 0')
      await client.query(`analyze ${table}`)
    })
}

/** Months from the next on that have no part of their own. One that begins within days stays in the part before it. */
export function missingMonths(parts: readonly Part[], now: Date): readonly Date[] {
  const starts = new Set(parts.map(({ from }) => from?.getTime()))
  return Array.from({ length: preparedMonths }, (_, index) => monthStart(now, index + 1)).filter(
    (month) => !starts.has(month.getTime()) && month.getTime() - now.getTime() >= leastAheadMs,
  )
}
