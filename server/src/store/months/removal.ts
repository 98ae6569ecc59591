/**
 * Removes a whole month of payments, with everything that belongs to them. Decision 0202.
 *
 * A month goes when its payments are older than the period, all their payers' data was erased, nothing needs one of them, and every live
 * ledger entry is on a closed statement. Its parts are detached concurrently, so that payments do not wait, and dropped afterwards. The row
 * in `month_removals` is written first; a removal that was interrupted goes on from there.
 *
 * Payments change until theirs is detached, a late chargeback for instance. It is detached first, and the conditions are checked again on it;
 * if one no longer holds, the month returns. Decision 0221.
 */
import { isDistributed } from '../database/buckets.ts'
import { type Pool, type PoolClient, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { keepReasonOf } from '../retention/still-needed.ts'
import { lowestId } from './month-bounds.ts'
import { withMonthLock } from './month-lock.ts'
import { monthTables, partOf } from './month-tables.ts'
import { type Part, readParts } from './parts.ts'

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
  // Citus detaches no part concurrently.
  if (await isDistributed(pool)) return null
  const [begun] = await query(pool, openRemoval, [])
  const removal = begun ?? (await beginOldest(pool, now, before))
  if (removal === null) return null
  await detach(pool, 'payments', removal.suffix)
  if (await returnIfNeeded(pool, removal, before)) return null
  for (const { table } of monthTables.toReversed()) await detach(pool, table, removal.suffix)
  await withoutTimeLimit(pool, async (client) => {
    for (const { table } of monthTables.toReversed())
      await client.query(`drop table if exists ${partOf(table, removal.suffix)}`)
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
  if (!oldest?.to || oldest.to > before || (await obstacleOf(pool, oldest, before)) !== null) return null
  const { rows } = await withoutTimeLimit(pool, (client) =>
    client.query<{ payments: number }>(`select count(*)::int as payments from ${partOf('payments', oldest.suffix)}`),
  )
  const removal = { suffix: oldest.suffix, endsBefore: oldest.to, payments: rows[0]?.payments ?? 0 }
  await query(pool, beginRemoval, [removal.suffix, removal.endsBefore, removal.payments, now])
  return removal
}

/** Attaches payments again if one of them is needed after all. While other tables of the month are still attached, their bounds are known. */
async function returnIfNeeded(pool: Pool, { suffix }: MonthRemoval, before: Date): Promise<boolean> {
  const bounds = await boundsOf(pool, partOf('transactions', suffix))
  if (bounds === null || (await obstacleOf(pool, { suffix }, before)) === null) return false
  const part = partOf('payments', suffix)
  await withoutTimeLimit(pool, async (client) => {
    await client.query(`alter table payments attach partition ${part} ${bounds}`)
    for (const name of await ownChecks(client, part)) await client.query(`alter table ${part} drop constraint ${name}`)
    await query(client, forgetRemoval, [suffix])
  })
  return true
}

/** Null if it is detached. */
async function boundsOf(pool: Pool, part: string): Promise<string | null> {
  const { rows } = await pool.query<{ bounds: string | null }>(
    'select pg_get_expr(relpartbound, oid) as bounds from pg_class where oid = $1::regclass',
    [part],
  )
  return rows[0]?.bounds ?? null
}

/** A concurrent detachment leaves the bounds as a constraint, which lets the part be attached again without being read. */
async function ownChecks(client: PoolClient, part: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint where conrelid = $1::regclass and contype = 'c'
     and conname not in (select conname from pg_constraint where conrelid = 'payments'::regclass)`,
    [part],
  )
  return rows.map(({ name }) => name)
}

const withoutTimeLimit = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    return await work(client)
  })

/** Why a month must stay; null if it may go. */
export async function obstacleOf(pool: Pool, { suffix }: Pick<Part, 'suffix'>, before: Date): Promise<string | null> {
  const [payments, transactions, entries] = ['payments', 'transactions', 'ledger_entries'].map((table) =>
    partOf(table, suffix),
  )
  // biome-ignore format: a table is read in columns.
  const obstacles = [
    ['payer data',           `select 1 from ${payments} p where p.erased_at is null`],
    ['recent change',        `select 1 from ${payments} p where p.updated_at >= $1`],
    ['running',              `select 1 from ${payments} p where (${keepReasonOf('p')}) is not null`],
    ['dispute',              `select 1 from disputes d join ${payments} p on p.merchant_id = d.merchant_id and p.id = d.payment_id where d.stage not in ('won', 'lost')`],
    ['watch',                `select 1 from transaction_watches w join ${payments} p on p.merchant_id = w.merchant_id and p.id = w.payment_id`],
    ['settlement difference', `select 1 from settlement_differences d join ${transactions} t on t.id = d.transaction_id where d.resolved_at is null`],
    ['statement',            `select 1 from ${entries} e join ${payments} p on p.merchant_id = e.merchant_id and p.id = e.payment_id
                              where not p.test and not exists (
                                select 1 from statements s where s.merchant_id = e.merchant_id and s.currency = e.currency
                                  and s.last_day >= (e.at at time zone 'UTC')::date)`],
  ] as const
  for (const [obstacle, text] of obstacles) {
    const { rowCount } = await withoutTimeLimit(pool, (client) =>
      client.query(`${text} limit 1`, text.includes('$1') ? [before] : []),
    )
    if (rowCount !== 0) return obstacle
  }
  return null
}

/** In a session of its own, because a concurrent detachment is no part of a transaction and waits for the statements before it. */
async function detach(pool: Pool, table: string, suffix: string): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ pending: boolean }>(
      `select link.inhdetachpending as pending from pg_inherits link join pg_class part on part.oid = link.inhrelid
       where link.inhparent = $1::regclass and part.relname = $2`,
      [table, `${table}_${suffix}`],
    )
    const [attached] = rows
    if (!attached) return
    await client.query('set statement_timeout = 0')
    const how = attached.pending ? 'finalize' : 'concurrently'
    await client.query(`alter table ${table} detach partition ${partOf(table, suffix)} ${how}`)
  } finally {
    // The setting of this session must not reach another user of the pool.
    client.release(true)
  }
}
