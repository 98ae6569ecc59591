/**
 * Callbacks of any number of merchants as a person looks for them, newest first. Each merchant's own come from its part of the
 * index, so that a page costs the same at any size of the table.
 *
 * Which side a callback is of, its payment knows. Callbacks are therefore looked at a window at a time until the page is full, and a
 * search gives up after some windows: it then tells from where on to go on looking.
 */
import { idsBefore, idsFrom } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'
import { type CallbackState, type LoggedCallback, type LogRow, logColumns, loggedCallbacks } from './callback-log.ts'

export interface CallbackSearch {
  /** Null means all of them. */
  readonly merchantIds: readonly string[] | null
  readonly test?: boolean | undefined
  readonly paymentId?: string | undefined
  readonly state?: CallbackState | undefined
  /** Made from this instant on … */
  readonly from?: Date | undefined
  /** … and before this one. */
  readonly to?: Date | undefined
  /** Where the page before ended. */
  readonly before?: string | undefined
  readonly limit: number
}

interface FoundCallback extends LoggedCallback {
  /** Of the payment. */
  readonly orderId: string
}

export interface FoundCallbacks {
  readonly callbacks: readonly FoundCallback[]
  /** What the next page begins before; null when this was the last. */
  readonly next: string | null
}

const largestWindow = 1000
const windowsAtMost = 12

/**
 * Each window is read of every merchant. The first are small, because most callbacks are usually of the side that is looked for; they grow
 * while they find too little.
 */
export const windowSize = (limit: number, windows: number): number =>
  Math.max(limit, Math.min(largestWindow, limit * 2 ** (windows + 1)))

export async function searchCallbacks(on: Queryable, search: CallbackSearch): Promise<FoundCallbacks> {
  const { limit, test } = search
  const found: Candidate[] = []
  let before = search.before
  for (let windows = 0; windows < windowsAtMost; windows += 1) {
    const size = test === undefined ? limit : windowSize(limit, windows)
    const looked = await candidates(on, { ...search, before, limit: size })
    found.push(...looked.filter((one) => test === undefined || one.test === test))
    before = looked.at(-1)?.id
    if (found.length >= limit)
      return { callbacks: await whole(on, found.slice(0, limit)), next: found[limit - 1]?.id ?? null }
    if (looked.length < size) return { callbacks: await whole(on, found), next: null }
  }
  return { callbacks: await whole(on, found), next: before ?? null }
}

interface Candidate {
  readonly merchantId: string
  readonly id: string
  readonly orderId: string
  readonly test: boolean
}

async function candidates(on: Queryable, search: CallbackSearch): Promise<readonly Candidate[]> {
  const { conditions, values } = conditionsOf(search)
  const text = `select c.merchant_id as "merchantId", c.id, p.order_id as "orderId", p.test from (
      select c.merchant_id, c.id, c.payment_id from merchants m cross join lateral (
        select merchant_id, id, payment_id from callbacks where merchant_id = m.id ${conditions} order by id desc limit $2
      ) c where ($1::uuid[] is null or m.id = any($1)) order by c.id desc limit $2
    ) c join payments p on p.merchant_id = c.merchant_id and p.id = c.payment_id order by c.id desc`
  return (await on.query<Candidate>(text, values)).rows
}

async function whole(on: Queryable, chosen: readonly Candidate[]): Promise<readonly FoundCallback[]> {
  const orders = new Map(chosen.map(({ id, orderId }) => [id, orderId]))
  const { rows } = await on.query<LogRow>(
    `select merchant_id, ${logColumns} from callbacks where merchant_id = any($1) and id = any($2) order by id desc`,
    [[...new Set(chosen.map(({ merchantId }) => merchantId))], [...orders.keys()]],
  )
  const callbacks = await loggedCallbacks(on, rows)
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
  add(paymentId, (place) => `payment_id = ${place}`)
  add(before, (place) => `id < ${place}`)
  add(from, (place) => `created_at >= ${place}`)
  add(from && idsFrom(from), (place) => `id >= ${place}`)
  add(to, (place) => `created_at < ${place}`)
  add(to && idsBefore(to), (place) => `id < ${place}`)
  // A state is part of the text and not a parameter, because only then can the index on failed callbacks be used.
  if (state !== undefined) parts.push(`and state = '${state}'`)
  return { conditions: parts.join(' '), values }
}
