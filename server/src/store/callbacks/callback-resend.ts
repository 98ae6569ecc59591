/** Resending: one callback, or a time range in slices, so that a large range locks few rows at a time and can be resumed. */
import { databaseNow } from '../database/lease.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { addressOfToday, type MerchantAddress } from './callback-address.ts'

export interface CallbackRange {
  readonly merchantId: string
  /** Created at or after this time … */
  readonly from: Date
  /** … and before this time. */
  readonly to: Date
  readonly state: 'delivered' | 'failed'
}

interface Resending {
  readonly merchantId: string
  readonly callbackId: string
  readonly now: Date
  /** The merchant's address of today, in its stored form; without one the callback keeps its own. */
  readonly to?: MerchantAddress | null
}

/** Sends a callback again, whatever its state, from the start of its retry plan. */
export async function resend(pool: Queryable, resending: Resending): Promise<ResendResult> {
  const { merchantId, callbackId, now, to = null } = resending
  const [row] = await query(pool, resendOne, [merchantId, callbackId, now, to?.live ?? null, to?.test ?? null])
  return row?.result ?? 'unknown'
}

/** `in-flight`: it is being delivered at this moment. */
export type ResendResult = 'resent' | 'in-flight' | 'unknown'

/** Resends all failed, or all delivered, callbacks of a time range. Returns how many. */
export async function resendRange(
  pool: Queryable,
  { merchantId, from, to, state }: CallbackRange,
  now: Date,
): Promise<number> {
  const [row] = await query(pool, resendStatements[state], [merchantId, from, to, now])
  return row?.resent ?? 0
}

interface ResentSlice {
  readonly resent: number
  /** The last callback of the slice; null if none was left. */
  readonly last: string | null
}

type Slice = readonly [
  merchantId: string,
  from: Date,
  to: Date,
  now: Date,
  after: string,
  limit: number,
  live: string | null,
  test: string | null,
]

const first = '00000000-0000-0000-0000-000000000000'

const sendAgain = (now: `$${number}`): string =>
  `set state = 'due', attempts = 0, next_at = ${now}, ended_at = null, lease_until = null`

// The state is part of the text instead of a parameter: only then can PostgreSQL use the index on failed callbacks.
const sliceOf = (state: CallbackRange['state']) =>
  sql<ResentSlice, Slice>(
    `callback.resend-slice-${state}`,
    `with chosen as (
       select id from callbacks
       where merchant_id = $1 and state = '${state}' and created_at >= $2 and created_at < $3 and id > $5
       order by id limit $6 for update skip locked
     ), resent as (
       update callbacks c ${sendAgain('$4')},
         url = ${addressOfToday('$7', '$8')}
       from chosen where c.merchant_id = $1 and c.id = chosen.id
       returning c.id
     )
     select (select count(*)::int from resent) as resent, (select id from chosen order by id desc limit 1) as last`,
  )
const countOf = (state: CallbackRange['state']) =>
  sql<MerchantCount, readonly [merchantIds: readonly string[] | null, from: Date, to: Date]>(
    `callback.count-range-${state}`,
    `select merchant_id as "merchantId", count(*) from callbacks
     where ($1::uuid[] is null or merchant_id = any($1)) and state = '${state}' and created_at >= $2 and created_at < $3
     group by merchant_id order by merchant_id`,
  )

const slices = { failed: sliceOf('failed'), delivered: sliceOf('delivered') }
const counts = { failed: countOf('failed'), delivered: countOf('delivered') }

interface MerchantCount {
  readonly merchantId: string
  readonly count: bigint
}

/** The callbacks of a time range by merchant; null means all merchants. */
export const countRange = (
  on: Queryable,
  merchantIds: readonly string[] | null,
  { from, to, state }: Omit<CallbackRange, 'merchantId'>,
): Promise<readonly MerchantCount[]> => query(on, counts[state], [merchantIds, from, to])

interface SliceOptions {
  /** Empty for the first slice. */
  readonly after: string
  readonly limit: number
  /** The merchant's address of today; null leaves each callback its own. */
  readonly address: MerchantAddress | null
}

export async function resendSlice(
  on: Queryable,
  { merchantId, from, to, state }: CallbackRange,
  now: Date,
  { after, limit, address }: SliceOptions,
): Promise<ResentSlice> {
  const { live, test } = address ?? { live: null, test: null }
  const values = [merchantId, from, to, now, after === '' ? first : after, limit, live, test] as const
  return (await query(on, slices[state], values))[0] ?? { resent: 0, last: null }
}

type ResendOne = readonly [merchantId: string, callbackId: string, now: Date, live: string | null, test: string | null]

const resendOne = sql<{ result: ResendResult }, ResendOne>(
  'callback.resend',
  `with resent as (
     update callbacks c ${sendAgain('$3')}, url = ${addressOfToday('$4', '$5')}
     where c.merchant_id = $1 and c.id = $2 and (lease_until is null or lease_until < ${databaseNow})
     returning id
   )
   select case when exists (select 1 from resent) then 'resent' else 'in-flight' end as result
   from callbacks where merchant_id = $1 and id = $2`,
)

const resendStatements = { delivered: resendStatement('delivered'), failed: resendStatement('failed') }

function resendStatement(state: CallbackRange['state']) {
  return sql<{ resent: number }, readonly [merchantId: string, from: Date, to: Date, now: Date]>(
    `callback.resend-range-${state}`,
    `with chosen as (
       select id from callbacks
       where merchant_id = $1 and state = '${state}' and created_at >= $2 and created_at < $3
       order by id for update skip locked
     ), resent as (
       update callbacks c ${sendAgain('$4')} from chosen where c.merchant_id = $1 and c.id = chosen.id
       returning c.id
     )
     select count(*)::int as resent from resent`,
  )
}
