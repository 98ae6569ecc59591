/**
 * Shortens a time range so that the number of payments read stays bounded. The panel's first page then costs the same for fifty thousand
 * payments as for fifty million, and says so when it left out older ones.
 */

import type { Mode } from '#domain/merchant.ts'
import { isDistributed } from '../database/buckets.ts'
import { paymentIdsBefore, paymentIdsFrom, timeOfId } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'

export interface PaymentRange {
  readonly from: Date
  readonly to: Date
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly mode: Mode | null
}

/**
 * Null if the range holds no more payments than `atMost`. Payments are counted by their ids, which an index has in order, and the result is
 * the time of an id. A session's first payment has an id as old as the session but may be made hours later; its own creation time would
 * exclude payments made in between.
 */
export async function findBeginningOfNewest(on: Queryable, range: PaymentRange, atMost: number): Promise<Date | null> {
  const { from, to, merchantIds, mode } = range
  const isApart = merchantIds !== null && (await isDistributed(on))
  const values = [paymentIdsFrom(from), paymentIdsBefore(to), ...(merchantIds === null ? [] : [merchantIds])]
  const within = `p.id >= $1 and p.id < $2${mode === null ? '' : ` and p.test = ${mode === 'test'}`}`
  const text = merchantIds === null ? ofAll(within, atMost) : (isApart ? ofNamed : ofEach)(within, atMost)
  const { rows } = await on.query<{ id: string }>(text, values)
  return rows[0] ? timeOfId(rows[0].id) : null
}

const ofAll = (within: string, atMost: number): string =>
  `select p.id from payments p where ${within} order by p.id desc offset ${atMost} limit 1`

const ofNamed = (within: string, atMost: number): string =>
  ofAll(`${within} and p.merchant_id = any($3::uuid[])`, atMost)

/**
 * Each merchant's payments are in order in the index; in the order of all merchants, finding those of a small merchant would read
 * everything. Citus cannot look up each merchant in a statement over several shards; there each shard reads its own payments.
 */
const ofEach = (within: string, atMost: number): string =>
  `select newest.id from unnest($3::uuid[]) as m (id) cross join lateral (
       select p.id from payments p where p.merchant_id = m.id and ${within} order by p.id desc limit ${atMost + 1}
     ) newest order by newest.id desc offset ${atMost} limit 1`
