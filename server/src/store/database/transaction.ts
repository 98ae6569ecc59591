/** Several statements that happen together or not at all. Most of the store needs none: one statement is one transaction already. */
import { type Pool, type PoolClient, type Queryable, release, tellRefusedWrite } from './pool.ts'

/** On a client whose transaction is open already the work becomes a part of it, which goes back alone when it fails. */
export function inTransaction<T>(on: Queryable, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return isPool(on) ? ofItsOwn(on, work) : asPart(on, work)
}

const isPool = (on: Queryable): on is Pool => 'totalCount' in on

async function ofItsOwn<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    release(client)
    return result
  } catch (error) {
    // A commit may be what found no room.
    tellRefusedWrite(client, error)
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

/** Parts follow each other and never overlap, so that one name does for all of them: the newest is the one that is meant. */
async function asPart<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
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
