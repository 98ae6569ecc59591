/**
 * Writes the claims of payments from before the claims existed, page by page while the instance serves. See decisions/months#claims-across-months.
 *
 * Each page locks its payments against changes of their status, because a decline between reading and writing would leave a claim of a
 * payment that no longer has one. Claims that a trigger has written meanwhile are left as they are. Until all are written the first part
 * holds every payment, and its unique indexes hold the rules.
 *
 * Migration 0060 marks an instance without payments as filled. A payment that was being written at that moment, before its triggers existed, has
 * no claim; the mark therefore counts only with a cursor, which the first page sets. See decisions/migrations#locks.
 */

import { freeingStatuses } from '#domain/payment/payment.ts'
import { literals } from '../database/columns.ts'
import { firstId } from '../database/id-bounds.ts'
import { type Pool, type PoolClient, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

interface Progress {
  readonly cursor: string | null
  readonly filled: boolean
}

const isFilled = 'filled_at is not null and cursor is not null as filled'

const readProgress = sql<Progress & { readonly marked: boolean }, readonly []>(
  'claims.progress',
  `select cursor, ${isFilled}, filled_at is not null as marked from claim_fill`,
)

const lockProgress = sql<Progress, readonly []>(
  'claims.lock-progress',
  `select cursor, ${isFilled} from claim_fill for update skip locked`,
)

const writeProgress = sql<Record<never, never>, readonly [string | null, boolean]>(
  'claims.write-progress',
  'update claim_fill set cursor = $1, filled_at = case when $2 then now() end',
)

const pageEnd = sql<{ readonly id: string }, readonly [string, number]>(
  'claims.page-end',
  'select id from payments where id > $1 order by id offset $2 limit 1',
)

const fillPage = sql<{ readonly written: number }, readonly [string, string]>(
  'claims.fill-page',
  `with page as materialized (
     select merchant_id, id, order_id, test, status, alone_in_order, session_id, subscription_id, plan_date, attempt from payments
     where id > $1 and id <= $2 and (alone_in_order or session_id is not null or plan_date is not null)
     order by merchant_id, id for share
   ), orders as (
     insert into order_claims (merchant_id, order_id, test, payment_id)
     select merchant_id, order_id, test, id from page where alone_in_order and status not in (${literals(freeingStatuses)}) on conflict do nothing returning 1
   ), sessions as (
     insert into session_claims (merchant_id, session_id, payment_id)
     select merchant_id, session_id, id from page where session_id is not null and status not in (${literals(freeingStatuses)}) on conflict do nothing returning 1
   ), plans as (
     insert into plan_claims (merchant_id, subscription_id, plan_date, payment_id)
     select merchant_id, subscription_id, plan_date, id from page
     where plan_date is not null and subscription_id is not null and attempt = 1 on conflict do nothing returning 1
   )
   select (select count(*)::int from orders) + (select count(*)::int from sessions) + (select count(*)::int from plans) as written`,
)

const fillUses = sql<Record<never, never>, readonly [string, string]>(
  'claims.fill-uses',
  `insert into key_uses (merchant_id, use_id, payment_id, transaction_id)
   select t.merchant_id, t.idempotency_use, t.payment_id, t.id
   from payments p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id
   where p.id > $1 and p.id <= $2 and t.idempotency_use is not null on conflict do nothing`,
)

const pageSize = 1000
/** A range has two ends, so that the plan that serves all pages expects few rows. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const filled = new WeakSet<Pool>()

/** Once they are, they stay so, and the pool is not asked again. */
export async function claimsAreFilled(pool: Pool): Promise<boolean> {
  if (filled.has(pool)) return true
  const [progress] = await query(pool, readProgress, [])
  if (progress?.filled) filled.add(pool)
  return filled.has(pool)
}

/** Only the migration said so; there were no payments then. */
export async function claimsAreOnlyMarked(pool: Pool): Promise<boolean> {
  const [progress] = await query(pool, readProgress, [])
  return progress?.marked === true && !progress.filled
}

/** Returns the number of claims written; stops early if another process is filling. */
export async function fillClaims(pool: Pool): Promise<number> {
  let written = 0
  for (;;) {
    const page = await inTransaction(pool, fillNext)
    written += page.written
    if (!page.more) return written
  }
}

async function fillNext(client: PoolClient): Promise<{ readonly written: number; readonly more: boolean }> {
  const [progress] = await query(client, lockProgress, [])
  if (!progress || progress.filled) return { written: 0, more: false }
  const after = progress.cursor ?? firstId
  const end = (await query(client, pageEnd, [after, pageSize - 1]))[0]?.id ?? null
  const range = [after, end ?? lastId] as const
  const [page] = await query(client, fillPage, range)
  await query(client, fillUses, range)
  await query(client, writeProgress, [end ?? after, end === null])
  return { written: page?.written ?? 0, more: end !== null }
}
