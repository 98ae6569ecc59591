/** The time of the database, with what the question itself took. */
import { type Pool, query, release, sql } from './pool.ts'

const readTime = sql<{ now: Date }, readonly []>('database.time', 'select clock_timestamp() as now')

interface TimeReading {
  /** How far the database is ahead of this machine, at the middle of the question. */
  readonly aheadMs: number
  /** By how much that may be wrong: half of the time from question to answer. */
  readonly uncertainMs: number
}

/** On a connection that is there already, so that making one does not count as travel. */
export async function readDatabaseTime(pool: Pool, machineMs: () => number): Promise<TimeReading> {
  const client = await pool.connect()
  try {
    // The first use of a statement is also its preparation.
    await query(client, readTime, [])
    const before = machineMs()
    const [row] = await query(client, readTime, [])
    const after = machineMs()
    release(client)
    return { aheadMs: (row?.now.getTime() ?? after) - (before + after) / 2, uncertainMs: (after - before) / 2 }
  } catch (error) {
    release(client, error)
    throw error
  }
}
