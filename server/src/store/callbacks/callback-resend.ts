/** Resends the callbacks of a time range in slices, so that a large range locks few rows at a time and can be resumed. */
import { type Queryable, query, sql } from '../database/pool.ts'
import type { CallbackRange } from './callback-log.ts'

interface ResentSlice {
  readonly resent: number
  /** The last callback of the slice; null if none was left. */
  readonly last: string | null
}

type Slice = readonly [merchantId: string, from: Date, to: Date, now: Date, after: string, limit: number]

const first = '00000000-0000-0000-0000-000000000000'

// The state is part of the text instead of a parameter: only then can PostgreSQL use the index on failed callbacks.
const sliceOf = (state: CallbackRange['state']) =>
  sql<ResentSlice, Slice>(
    `callback.resend-slice-${state}`,
    `with chosen as (
       select id from callbacks
       where merchant_id = $1 and state = '${state}' and created_at >= $2 and created_at < $3 and id > $5
       order by id limit $6 for update skip locked
     ), resent as (
       update callbacks c set state = 'due', attempts = 0, next_at = $4, ended_at = null, lease_until = null
       from chosen where c.merchant_id = $1 and c.id = chosen.id
       returning c.id
     )
     select (select count(*)::int from resent) as resent, (select id from chosen order by id desc limit 1) as last`,
  )
const countOf = (state: CallbackRange['state']) =>
  sql<{ count: bigint }, readonly [string, Date, Date]>(
    `callback.count-range-${state}`,
    `select count(*) from callbacks where merchant_id = $1 and state = '${state}' and created_at >= $2 and created_at < $3`,
  )

const slices = { failed: sliceOf('failed'), delivered: sliceOf('delivered') }
const counts = { failed: countOf('failed'), delivered: countOf('delivered') }

export async function countRange(on: Queryable, { merchantId, from, to, state }: CallbackRange): Promise<bigint> {
  return (await query(on, counts[state], [merchantId, from, to]))[0]?.count ?? 0n
}

/** `after` is empty for the first slice. */
export async function resendSlice(
  on: Queryable,
  { merchantId, from, to, state }: CallbackRange,
  now: Date,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ResentSlice> {
  const values = [merchantId, from, to, now, after === '' ? first : after, limit] as const
  return (await query(on, slices[state], values))[0] ?? { resent: 0, last: null }
}
