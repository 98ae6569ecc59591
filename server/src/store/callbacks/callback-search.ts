/**
 * Searches the callbacks of any number of merchants, newest first. Each merchant's rows come from its part of the index, so that a page
 * costs the same at any size of the table.
 *
 * Only the payment knows the mode of a callback. The search therefore reads callbacks in windows until the page is full, and stops after
 * some windows with the position to continue from.
 */

import { isDistributed } from '../database/buckets.ts'
import { idsBefore, idsFrom } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'
import { addAttempts, type CallbackState, type LoggedCallback, type LogRow, logColumns } from './callback-log.ts'

export interface CallbackSearch {
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly test?: boolean | undefined
  readonly paymentId?: string | undefined
  readonly state?: CallbackState | undefined
  /** Created at or after this time … */
  readonly from?: Date | undefined
  /** … and before this time. */
  readonly to?: Date | undefined
  /** The end of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

interface FoundCallback extends LoggedCallback {
  /** The order of the payment. */
  readonly orderId: string
}

export interface FoundCallbacks {
  readonly callbacks: readonly FoundCallback[]
  /** The position where the next page begins; null on the last page. */
  readonly next: string | null
}

const largestWindow = 1000
const windowsAtMost = 12

/**
 * A window of this size is read per merchant. The first windows are small, because most callbacks usually have the wanted mode; they grow
 * while too few are found.
 */
export const windowSize = (limit: number, windows: number): number =>
  Math.max(limit, Math.min(largestWindow, limit * 2 ** (windows + 1)))

export async function searchCallbacks(on: Queryable, search: CallbackSearch): Promise<FoundCallbacks> {
  const { limit, test } = search
  const found: Candidate[] = []
  let before = search.before
  for (let windows = 0; windows < windowsAtMost; windows += 1) {
    const size = test === undefined ? limit : windowSize(limit, windows)
    const candidates = await readCandidates(on, { ...search, before, limit: size })
    found.push(...candidates.filter((one) => test === undefined || one.test === test))
    before = candidates.at(-1)?.id
    if (found.length >= limit)
      return { callbacks: await loadCallbacks(on, found.slice(0, limit)), next: found[limit - 1]?.id ?? null }
    if (candidates.length < size) return { callbacks: await loadCallbacks(on, found), next: null }
  }
  return { callbacks: await loadCallbacks(on, found), next: before ?? null }
}

interface Candidate {
  readonly merchantId: string
  readonly id: string
  readonly orderId: string
  readonly test: boolean
}

async function readCandidates(on: Queryable, search: CallbackSearch): Promise<readonly Candidate[]> {
  const { conditions, values } = conditionsOf(search)
  const text = (await isDistributed(on)) ? ofShards(conditions) : ofEachMerchant(conditions)
  return (await on.query<Candidate>(text, values)).rows
}

const candidateColumns = 'c.merchant_id as "merchantId", c.id, p.order_id as "orderId", p.test'

const ofEachMerchant = (conditions: string): string =>
  `select ${candidateColumns} from (
      select c.merchant_id, c.id, c.payment_id from merchants m cross join lateral (
        select c.merchant_id, c.id, c.payment_id from callbacks c where c.merchant_id = m.id ${conditions} order by c.id desc limit $2
      ) c where ($1::uuid[] is null or m.id = any($1)) order by c.id desc limit $2
    ) c join payments p on p.merchant_id = c.merchant_id and p.id = c.payment_id order by c.id desc`

/**
 * Citus cannot look up each merchant in a statement over several shards; there each shard finds its newest callbacks. Both tables name the
 * merchants: it derives no condition of one from that of the other.
 */
const ofShards = (conditions: string): string =>
  `select ${candidateColumns} from callbacks c join payments p on p.merchant_id = c.merchant_id and p.id = c.payment_id
   where ($1::uuid[] is null or c.merchant_id = any($1)) and ($1::uuid[] is null or p.merchant_id = any($1)) ${conditions} order by c.id desc limit $2`

async function loadCallbacks(on: Queryable, chosen: readonly Candidate[]): Promise<readonly FoundCallback[]> {
  const orders = new Map(chosen.map(({ id, orderId }) => [id, orderId]))
  const { rows } = await on.query<LogRow>(
    `select merchant_id, ${logColumns} from callbacks where merchant_id = any($1) and id = any($2) order by id desc`,
    [[...new Set(chosen.map(({ merchantId }) => merchantId))], [...orders.keys()]],
  )
  const callbacks = await addAttempts(on, rows)
  return callbacks.map((callback) => ({ ...callback, orderId: orders.get(callback.id) ?? '' }))
}

function conditionsOf({ merchantIds, paymentId, state, from, to, before, limit }: CallbackSearch) {
  const values: unknown[] = [merchantIds, limit]
  const parts: string[] = []
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return
    values.push(value)
    parts.push(`and ${condition(`$${values.length}`)}`)
  }
  add(paymentId, (place) => `c.payment_id = ${place}`)
  add(before, (place) => `c.id < ${place}`)
  add(from, (place) => `c.created_at >= ${place}`)
  add(from && idsFrom(from), (place) => `c.id >= ${place}`)
  add(to, (place) => `c.created_at < ${place}`)
  add(to && idsBefore(to), (place) => `c.id < ${place}`)
  // The state is part of the text instead of a parameter: only then can PostgreSQL use the index on failed callbacks.
  if (state !== undefined) parts.push(`and c.state = '${state}'`)
  return { conditions: parts.join(' '), values }
}
