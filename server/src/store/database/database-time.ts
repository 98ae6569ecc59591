/** Reads the database's time and measures how precise the reading is. */
import { type Pool, query, release, sql } from './pool.ts'

const readTime = sql<{ now: Date }, readonly []>('database.time', 'select clock_timestamp() as now')

interface TimeReading {
  /** How far the database is ahead of this machine, at the middle of the query. */
  readonly aheadMs: number
  /** The possible error: half of the round trip. */
  readonly uncertainMs: number
}

/** Uses an existing connection, so that connecting does not count as travel time. */
export async function readDatabaseTime(pool: Pool, machineMs: () => number): Promise<TimeReading> {
  const client = await pool.connect()
  try {
    // The first use of a statement also prepares it.
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
