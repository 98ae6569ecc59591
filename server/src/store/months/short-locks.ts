/**
 * Changes of parts by month in one transaction that waits for no lock longer than for a moment, so that payments never wait for it.
 *
 * Each statement is sent by itself, because Citus passes on the text that it was sent, and executes only one statement of it.
 */
import type { Pool, PoolClient } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

const lockTimeoutMs = 250

const limits = [`set local lock_timeout = ${lockTimeoutMs}`, 'set local statement_timeout = 0']

/** Settings hold on every server, and all statements of the transaction use the same connections to them. */
export const citusSettings = [
  `set local citus.propagate_set_commands = 'local'`,
  `set local citus.multi_shard_modify_mode = 'sequential'`,
]

export const runShortly = (pool: Pool, texts: readonly string[], isDistributed: boolean): Promise<void> =>
  inTransaction(pool, (client) => runAll(client, [...(isDistributed ? citusSettings : []), ...limits, ...texts]))

export async function runAll(client: PoolClient, texts: readonly string[]): Promise<void> {
  for (const text of texts) await client.query(text)
}

/** PostgreSQL's codes for a lock that was not free in time, and for one that was given up to end a deadlock. */
export const busyCodes: readonly string[] = ['55P03', '40P01']
