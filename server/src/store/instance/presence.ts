/**
 * This process's presence in the database: one connection that holds the process's advisory lock and receives configuration changes.
 *
 * The lock shows other processes that sends marked with this number are still in progress. The database frees it as soon as the connection
 * is gone, so a crash is noticed without a timeout. A broken connection is replaced, and so is one on which the server no longer answers: a
 * server that vanished would leave this process without its lock and without notifications, and nothing would tell it. See
 * decisions/high-availability#silent-servers.
 */
import { randomInt } from 'node:crypto'
import type { Client } from 'pg'
import type { Log } from '../../contracts/ports.ts'
import { WatchedClient } from '../database/connection/watched-client.ts'
import { processLockClass } from '../database/lease.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface Presence {
  readonly number: number
  leave(): Promise<void>
}

const connectTimeoutMs = 10_000
const reconnectMs = 500
/** How often the connection is tried out, and how long the server may take: a server that vanished is noticed within 20 seconds. */
const usualTryMs = 10_000
const statementTimeoutMs = 5_000
const keepAliveAfterMs = 30_000
/** Processes lose their connections at the same moment and must not all return at the same moment. */
const reconnectSpreadMs = 500

const countProcesses = sql<{ count: bigint }, readonly []>(
  'process.count',
  `select count(*) from pg_locks
   where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
     and database = (select oid from pg_database where datname = current_database())`,
)

// The server may still hold the session of a connection that broke on its way, and with it the lock.
const endFormerSession = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** How many processes of the instance are running now. */
export const readProcessCount = async (on: Queryable): Promise<number> =>
  Number((await query(on, countProcesses, []))[0]?.count ?? 0n)

export async function announce(
  url: string,
  number: number,
  on: { readonly announceChange: () => void; readonly log: Log; readonly tryEveryMs?: number },
): Promise<Presence> {
  let left = false
  let client = await connect()

  async function connect(): Promise<Client> {
    const fresh: Client = new WatchedClient({
      connectionString: url,
      application_name: 'gatehouse presence',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      connectionTimeoutMillis: connectTimeoutMs,
    })
    fresh.on('notification', on.announceChange)
    fresh.on('error', () => undefined)
    try {
      await fresh.connect()
      await fresh.query(`set statement_timeout = ${statementTimeoutMs}`)
      await fresh.query(endFormerSession, [processLockClass, number]).catch(() => undefined)
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
        if (left) return await client.end()
        // Reload what changed while the connection was down.
        on.announceChange()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, reconnectMs + randomInt(reconnectSpreadMs)))
      }
    }
  }

  // A refusal is an answer too; after a loss the connection is replaced.
  const trying = setInterval(
    () => void client.query('select 1').catch(() => undefined),
    on.tryEveryMs ?? usualTryMs,
  ).unref()

  return {
    number,
    leave: async () => {
      left = true
      clearInterval(trying)
      await client.end()
    },
  }
}
