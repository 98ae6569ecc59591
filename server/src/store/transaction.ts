/** Several statements that happen together or not at all. Most of the store needs none: one statement is one transaction already. */
import { type Pool, type PoolClient, release } from './pool.ts'

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    release(client)
    return result
  } catch (error) {
    // On a connection that is gone the roll-back fails too, and the first error is the one that tells something.
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    )
    if (rolledBack) release(client, error)
    else client.release(true)
    throw error
  }
}
