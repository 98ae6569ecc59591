/** The statements of the payment search. Each is the fastest way to its matches for some filters; `payment-search.ts` chooses. */
import { firstId } from '#domain/uuid.ts'
import { paymentColumns } from '../payment-rows.ts'
import { foundColumns } from './found-payment.ts'
import { Conditions, isFoundBy, type PaymentFilter, partFoundBy, type Timing } from './payment-conditions.ts'
import { addWindow, type Window } from './search-windows.ts'

export interface PageRequest {
  readonly filter: PaymentFilter
  /** Null means all merchants. */
  readonly merchantIds: readonly string[] | null
  readonly limit: number
  /** In a distributed database merchants are named so that only their shards are asked. */
  readonly isDistributed?: boolean
}

export interface SearchStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Newest first, by one statement over the payments. */
export function orderedStatement(wish: PageRequest, timing: Timing = 'at once', window?: Window): SearchStatement {
  const where = matches(wish, timing, window)
  const text = `select ${foundColumns} from payments p where ${where.text} order by p.id desc limit ${where.place(wish.limit)}`
  return { text, values: where.values }
}

/** Some of the matches in a window, in no order. */
export function unsortedStatement(wish: PageRequest, window: Window): SearchStatement {
  const where = matches(wish, 'at once', window)
  const text = `select ${foundColumns} from payments p where ${where.text} limit ${where.place(wish.limit)}`
  return { text, values: where.values }
}

/** Ids of payments in a window that have the amounts or the beginning, whatever else they have; in no order. */
export function idsStatement({ filter, merchantIds, limit }: PageRequest, window: Window): SearchStatement {
  const part = partFoundBy(filter, 'beginning', 'range')
  const where = new Conditions()
  // The index of amounts begins with the merchant; those of texts do not, and few merchants' payments could be far apart in them.
  if (merchantIds !== null && !isFoundBy(part, 'beginning')) where.add(merchantCondition(where, part, merchantIds))
  addWindow(where, part, 'at once', window)
  return { text: `select p.id from payments p where ${where.text} limit ${where.place(limit)}`, values: where.values }
}

/** Selects those of the given payments that match, newest first. */
export function amongStatement(
  { filter, merchantIds, limit }: PageRequest,
  ids: readonly string[],
  window: Window,
): SearchStatement {
  const where = new Conditions()
  where.add(`p.id = any(${where.place(ids)}::uuid[])`)
  if (merchantIds !== null) where.add(`(p.merchant_id = any(${where.place(merchantIds)}::uuid[])) is true`)
  addWindow(where, filter, 'at once', window)
  const text = `select ${foundColumns} from payments p where ${where.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

/** All matches are read, then sorted: `offset 0` keeps the planner from walking through all payments in order instead. */
export function sortedStatement(wish: PageRequest): SearchStatement {
  const where = matches(wish, 'at once')
  const all = `select ${paymentColumns()} from payments p where ${where.text} offset 0`
  const text = `select ${foundColumns} from (${all}) p order by p.id desc limit ${where.place(wish.limit)}`
  return { text, values: where.values }
}

/** The index of tags has the newest payments first; each is looked up until the page is full. */
export function taggedStatement({ filter: { tag, ...filter }, merchantIds, limit }: PageRequest): SearchStatement {
  const where = new Conditions()
  const tags = where.apart().add(`tagged.tag = ${where.place(tag)}`)
  if (merchantIds !== null) tags.add(`tagged.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  if (filter.before !== undefined) tags.add(`tagged.payment_id < ${where.place(filter.before)}`)
  const conditions = where.addFilter(filter, 'at once').text
  const one = `select ${paymentColumns()} from payments p where p.merchant_id = tagged.merchant_id and p.id = tagged.payment_id and ${conditions} offset 0`
  const text = `select ${foundColumns} from payment_tags tagged cross join lateral (${one}) p
    where ${tags.text} order by tagged.payment_id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

/** Matches among the newest payments of the range, at most `most` of them; of one merchant its own newest. */
export function recentStatement(
  { filter: { from, to, before, ...filter }, merchantIds, limit, isDistributed }: PageRequest,
  most: number,
): SearchStatement {
  const where = new Conditions()
  if (isDistributed && merchantIds !== null) where.addShardsOf(merchantIds)
  where.addFilter({ from, to, before }, 'at once')
  const [only, ...others] = merchantIds ?? []
  const isOfOne = only !== undefined && others.length === 0
  if (isOfOne && !isDistributed) where.add(`p.merchant_id = ${where.hide(only)}`)
  const newest = `select ${paymentColumns()} from payments p where ${where.text} order by p.id desc limit ${most}`
  const among = where.apart().addFilter(filter, 'at once')
  if (merchantIds !== null && !isOfOne && !isDistributed)
    among.add(`p.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  const text = `select ${foundColumns} from (${newest}) p where ${among.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

/**
 * Each merchant, and each of several MIDs, has its payments in a separate order. The newest payment of each is looked up first. A page of n
 * rows needs at most the n orders with the newest payments, and no row of the page is older than the newest payment of the n-th.
 */
export function mergedStatement(
  { filter: { midIds, ...filter }, merchantIds, limit }: PageRequest,
  window?: Window,
): SearchStatement {
  const where = new Conditions()
  const whose = merchantIds === null ? 'true' : `id = any(${where.place(merchantIds)}::uuid[])`
  const mids = midIds === undefined ? '' : `cross join unnest(${where.place(midIds)}::uuid[]) as of_mid (mid_id)`
  const named = midIds === undefined ? 'merchant_id' : 'merchant_id, mid_id'
  const lines = where.place(limit)
  const conditions = addWindow(where, filter, 'at once', window).text
  const fits = (order: string): string =>
    `p.merchant_id = ${order}.merchant_id ${midIds === undefined ? '' : `and p.mid_id = ${order}.mid_id`} and ${conditions}`
  const text = `with orders as materialized (
      select ${named}, newest.id from (select ${named} from (select id as merchant_id from merchants where ${whose}) m ${mids}) o
        cross join lateral (select p.id from payments p where ${fits('o')} order by p.id desc limit 1) newest
      order by newest.id desc limit ${lines}
    ), found as materialized (
      select orders.merchant_id, f.id from orders cross join lateral (
        select p.id from payments p
        where ${fits('orders')} and p.id >= coalesce((select id from orders order by id desc offset ${lines} - 1), '${firstId}')
        order by p.id desc limit ${lines}
      ) f
      order by f.id desc limit ${lines}
    )
    select ${foundColumns} from found join payments p using (merchant_id, id) order by p.id desc`
  return { text, values: where.values }
}

function matches({ filter, merchantIds, isDistributed }: PageRequest, timing: Timing, window?: Window): Conditions {
  const where = new Conditions()
  if (merchantIds !== null && isDistributed) where.addShardsOf(merchantIds)
  else if (merchantIds !== null) where.add(merchantCondition(where, filter, merchantIds))
  return addWindow(where, filter, timing, window)
}

function merchantCondition(where: Conditions, filter: PaymentFilter, merchantIds: readonly string[]): string {
  const [only, ...others] = merchantIds
  // Where an index over all payments or a summary finds the matches, the merchant is only a test on them; `is true` keeps the planner from
  // reading all of the merchant's payments instead.
  if (isFoundBy(filter, 'few', 'beginning', 'scattered'))
    return `(p.merchant_id = any(${where.place(merchantIds)}::uuid[])) is true`
  if (others.length > 0) return `p.merchant_id = any(${where.place(merchantIds)}::uuid[])`
  // An equality keeps the order of an index, a list of one value does not. For matches without an order the planner must see the
  // merchant, because the best plan depends on how many payments it has.
  return `p.merchant_id = ${isFoundBy(filter, 'range') ? where.place(only) : where.hide(only)}`
}
