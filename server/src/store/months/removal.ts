/**
 * Removes a whole month of payments, with everything that belongs to them. See decisions/months#removal.
 *
 * A month goes when nothing needs it. Its parts are detached without letting payments wait, and dropped afterwards, in the transaction that carries its
 * balances forward (decisions/statements#removed-months). The row in `month_removals` is written first; a removal that was interrupted goes
 * on from there.
 *
 * Payments change until theirs is detached, a late chargeback for instance. It is detached first, and the conditions are checked again on it;
 * if one no longer holds, the month returns. See decisions/months#removal.
 */
import { isDistributed } from '../database/buckets.ts'
import { type Pool, type PoolClient, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { carryBalances } from './carried-balances.ts'
import { detach } from './detach.ts'
import { lowestId } from './month-bounds.ts'
import { withMonthLock } from './month-lock.ts'
import { monthTables, partOf } from './month-tables.ts'
import { readParts } from './parts.ts'
import { findObstacle } from './removal-obstacles.ts'
import { citusSettings, runAll } from './short-locks.ts'

export interface MonthRemoval {
  readonly suffix: string
  readonly endsBefore: Date
  readonly payments: number
}

const openRemoval = sql<MonthRemoval, readonly []>(
  'months.open-removal',
  `select suffix, ends_before as "endsBefore", payments::int from month_removals where ended_at is null order by ends_before limit 1`,
)

const beginRemoval = sql<Record<never, never>, readonly [string, Date, number, Date]>(
  'months.begin-removal',
  'insert into month_removals (suffix, ends_before, payments, begun_at) values ($1, $2, $3, $4)',
)

const endRemoval = sql<Record<never, never>, readonly [string, Date]>(
  'months.end-removal',
  'update month_removals set ended_at = $2 where suffix = $1',
)

const forgetRemoval = sql<Record<never, never>, readonly [string]>(
  'months.forget-removal',
  'delete from month_removals where suffix = $1 and ended_at is null',
)

interface RemovalOptions {
  readonly now: Date
  /** Payments that changed since then stay. */
  readonly before: Date
  /** Writes the audit entry, in the transaction that drops the month. */
  readonly note: (client: PoolClient, removal: MonthRemoval) => Promise<unknown>
}

/** Removes the oldest month if it may go. Returns it, or null if none may or another process is at it. */
export const removeOldestMonth = (pool: Pool, options: RemovalOptions): Promise<MonthRemoval | null> =>
  withMonthLock(pool, () => removeOldest(pool, options))

async function removeOldest(pool: Pool, { now, before, note }: RemovalOptions): Promise<MonthRemoval | null> {
  const [begun] = await query(pool, openRemoval, [])
  const removal = begun ?? (await beginOldest(pool, now, before))
  if (removal === null) return null
  if (!(await detach(pool, ['payments'], removal.suffix))) return null
  if (await returnIfNeeded(pool, removal, before)) return null
  const tables = monthTables.map(({ table }) => table).toReversed()
  if (!(await detach(pool, tables, removal.suffix))) return null
  await withoutTimeLimit(pool, async (client) => {
    await carryBalances(client, removal.suffix)
    for (const table of tables) await client.query(`drop table if exists ${partOf(table, removal.suffix)}`)
    for (const text of remains) await client.query(text, [lowestId(removal.endsBefore)])
    await note(client, removal)
    await query(client, endRemoval, [removal.suffix, now])
  })
  return removal
}

/** Rows about the month's payments in tables without parts. */
const remains = [
  'delete from payer_steps where payment_id < $1',
  'delete from payment_secrets where payment_id < $1',
  'delete from payment_reviews where payment_id < $1',
  'delete from payment_notes where payment_id < $1',
  'delete from payment_tags where payment_id < $1',
  'delete from order_claims where payment_id < $1',
  'delete from session_claims where payment_id < $1',
  'delete from plan_claims where payment_id < $1',
  'delete from key_uses where payment_id < $1',
]

async function beginOldest(pool: Pool, now: Date, before: Date): Promise<MonthRemoval | null> {
  const [oldest] = await readParts(pool)
  if (!oldest?.to || oldest.to > before || (await findObstacle(pool, oldest, before)) !== null) return null
  const { rows } = await withoutTimeLimit(pool, (client) =>
    client.query<{ payments: number }>(`select count(*)::int as payments from ${partOf('payments', oldest.suffix)}`),
  )
  const removal = { suffix: oldest.suffix, endsBefore: oldest.to, payments: rows[0]?.payments ?? 0 }
  await query(pool, beginRemoval, [removal.suffix, removal.endsBefore, removal.payments, now])
  return removal
}

/** Attaches payments again if one of them is needed after all. While other tables of the month are still attached, their bounds are known. */
async function returnIfNeeded(pool: Pool, { suffix }: MonthRemoval, before: Date): Promise<boolean> {
  const bounds = await readBounds(pool, partOf('transactions', suffix))
  if (bounds === null || (await findObstacle(pool, { suffix }, before)) === null) return false
  const part = partOf('payments', suffix)
  await withoutTimeLimit(pool, async (client) => {
    await client.query(`alter table payments attach partition ${part} ${bounds}`)
    for (const name of await listOwnChecks(client, part))
      await client.query(`alter table ${part} drop constraint ${name}`)
    await query(client, forgetRemoval, [suffix])
  })
  return true
}

/** Null if it is detached. */
async function readBounds(pool: Pool, part: string): Promise<string | null> {
  const { rows } = await pool.query<{ bounds: string | null }>(
    'select pg_get_expr(relpartbound, oid) as bounds from pg_class where oid = $1::regclass',
    [part],
  )
  return rows[0]?.bounds ?? null
}

/** A concurrent detachment leaves the bounds as a constraint, which lets the part be attached again without being read. */
async function listOwnChecks(client: PoolClient, part: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint where conrelid = $1::regclass and contype = 'c'
     and conname not in (select conname from pg_constraint where conrelid = 'payments'::regclass)`,
    [part],
  )
  return rows.map(({ name }) => name)
}

const withoutTimeLimit = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await runAll(client, [...((await isDistributed(pool)) ? citusSettings : []), 'set local statement_timeout = 0'])
    return await work(client)
  })
