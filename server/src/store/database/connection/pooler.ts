/**
 * Checks that each connection is its own database session. A pooler in transaction mode gives every transaction to any free server
 * connection. The advisory lock that shows a process to be alive would then be held by other processes, or freed while the process lives,
 * and prepared statements would reach sessions that do not know them. Processes refuse to start behind such a pooler.
 */
import { StartupError } from '../../../process/startup-error.ts'
import type { Pool, PoolClient } from '../pool.ts'

export async function requireSessions(pool: Pool): Promise<void> {
  if (!(await isSharingSessions(pool))) return
  throw new StartupError(
    'DATABASE_URL points to a connection pooler in transaction mode, which Gatehouse cannot use.',
    'Set DATABASE_URL to the database server, or use session mode (pool_mode = session).',
  )
}

/** While one of two connections is inside a transaction, the other must keep its session, and the two sessions must differ. */
async function isSharingSessions(pool: Pool): Promise<boolean> {
  const one = await pool.connect()
  try {
    const other = await pool.connect()
    try {
      const before = await readSession(one)
      await other.query('begin')
      const meanwhile = await readSession(other)
      const after = await readSession(one)
      await other.query('rollback')
      return before !== after || before === meanwhile
    } finally {
      other.release(true)
    }
  } finally {
    one.release(true)
  }
}

async function readSession(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [row] = rows
  if (!row) throw new Error('The server did not say which session this is.')
  return row.pid
}
