/** Lets one process at a time change the parts by month. */
import type { Pool, PoolClient } from '../database/pool.ts'

const lockName = 'gatehouse months'

/** Null if another process has the lock. It ends with the connection, so a process that dies leaves none. */
export async function withMonthLock<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtext($1)) as taken', [
      lockName,
    ])
    if (!rows[0]?.taken) return null
    try {
      return await work()
    } finally {
      await client.query('select pg_advisory_unlock(hashtext($1))', [lockName]).catch(() => undefined)
    }
  } finally {
    client.release()
  }
}

/** False while a process changes the parts; otherwise none begins to until the transaction of the client ends. */
export async function lockMonthsShared(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_xact_lock_shared(hashtext($1)) as taken',
    [lockName],
  )
  return rows[0]?.taken === true
}
