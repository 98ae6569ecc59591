/**
 * Where a range of time has to begin for what is read of it to stay bounded: the panel's first page costs the same whether a range holds
 * fifty thousand payments or fifty million, and says so when it left out the older ones.
 */
import { paymentIdsBefore, paymentIdsFrom, timeOfId } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'

export interface PaymentRange {
  readonly from: Date
  readonly to: Date
  /** Null means all of them. */
  readonly merchantIds: readonly string[] | null
  readonly test: boolean | null
}

/**
 * Null when the range holds no more than that many payments. They are counted by their identifiers alone, which an index has in order,
 * and the answer is the time of an identifier: a session's first payment has one as old as the session and may have been made hours later,
 * so that its own time would leave out what was paid in between.
 */
export async function beginningOfNewest(on: Queryable, range: PaymentRange, atMost: number): Promise<Date | null> {
  const { from, to, merchantIds, test } = range
  const values = [paymentIdsFrom(from), paymentIdsBefore(to), ...(merchantIds === null ? [] : [merchantIds])]
  const within = `p.id >= $1 and p.id < $2${test === null ? '' : ` and p.test = ${test}`}`
  const text = merchantIds === null ? ofAll(within, atMost) : ofEach(within, atMost)
  const { rows } = await on.query<{ id: string }>(text, values)
  return rows[0] ? timeOfId(rows[0].id) : null
}

const ofAll = (within: string, atMost: number): string =>
  `select p.id from payments p where ${within} order by p.id desc offset ${atMost} limit 1`

/** Each merchant has its own in order; among everybody's, those of a small one would be looked for through all of them. */
const ofEach = (within: string, atMost: number): string =>
  `select newest.id from unnest($3::uuid[]) as m (id) cross join lateral (
       select p.id from payments p where p.merchant_id = m.id and ${within} order by p.id desc limit ${atMost + 1}
     ) newest order by newest.id desc offset ${atMost} limit 1`
