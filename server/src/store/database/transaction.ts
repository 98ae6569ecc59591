/** Runs several statements as one transaction. Most of the store does not need it: a single statement is already a transaction. */
import { isPool, type Pool, type PoolClient, type Queryable, release, reportRefusedWrite } from './pool.ts'

/** On a client inside a transaction, the work becomes a savepoint of it and is rolled back alone if it fails. */
export function inTransaction<T>(on: Queryable, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return isPool(on) ? runTransaction(on, work) : runSavepoint(on, work)
}

/** Until its transaction ends, statements may read all that a large merchant ever booked. */
export const extendTimeLimit = async (client: PoolClient): Promise<void> => {
  await client.query("set local statement_timeout = '120s'")
}

async function runTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    release(client)
    return result
  } catch (error) {
    // A full disk may show only at the commit.
    reportRefusedWrite(client, error)
    // On a lost connection the roll-back fails too; the first error is the informative one.
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    )
    if (rolledBack) release(client, error)
    else client.release(true)
    throw error
  }
}

/** Savepoints follow each other and never overlap, so one name suffices: it always means the newest. */
async function runSavepoint<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
  await client.query('savepoint part')
  try {
    const result = await work(client)
    await client.query('release savepoint part')
    return result
  } catch (error) {
    await client.query('rollback to savepoint part; release savepoint part').catch(() => undefined)
    throw error
  }
}
