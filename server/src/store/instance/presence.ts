/**
 * This process's presence in the database: one connection that holds the process's advisory lock and receives configuration changes.
 *
 * The lock shows other processes that sends marked with this number are still in progress. The database frees it as soon as the connection
 * is gone, so a crash is noticed without a timeout. A broken connection is replaced.
 */
import { randomInt } from 'node:crypto'
import { Client } from 'pg'
import type { Log } from '../../contracts/ports.ts'
import { processLockClass } from '../database/lease.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface Presence {
  readonly number: number
  leave(): Promise<void>
}

const connectTimeoutMs = 10_000
const reconnectMs = 500
/** Processes lose their connections at the same moment and must not all return at the same moment. */
const reconnectSpreadMs = 500

const countProcesses = sql<{ count: bigint }, readonly []>(
  'process.count',
  `select count(*) from pg_locks
   where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`,
)

/** How many processes of the instance are running now. */
export const readProcessCount = async (on: Queryable): Promise<number> =>
  Number((await query(on, countProcesses, []))[0]?.count ?? 0n)

export async function announce(
  url: string,
  number: number,
  on: { readonly changed: () => void; readonly log: Log },
): Promise<Presence> {
  let left = false
  let client = await connect()

  async function connect(): Promise<Client> {
    const fresh = new Client({
      connectionString: url,
      application_name: 'gatehouse presence',
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
    })
    fresh.on('notification', on.changed)
    fresh.on('error', () => undefined)
    try {
      await fresh.connect()
      await fresh.query('select pg_advisory_lock($1, $2)', [processLockClass, number])
      await fresh.query('listen gatehouse_configuration')
    } catch (error) {
      void fresh.end().catch(() => undefined)
      throw error
    }
    // Registered only after success: a failed attempt ends its connection too, and must not start a second reconnection loop.
    fresh.once('end', () => {
      if (!left) void reconnect()
    })
    return fresh
  }

  async function reconnect(): Promise<void> {
    on.log.warn({ process: number }, 'The presence connection of this process was lost; reconnecting.')
    while (!left) {
      try {
        client = await connect()
        // Reload what changed while the connection was down.
        on.changed()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, reconnectMs + randomInt(reconnectSpreadMs)))
      }
    }
  }

  return {
    number,
    leave: async () => {
      left = true
      await client.end()
    },
  }
}
