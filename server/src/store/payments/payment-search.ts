/**
 * The payment search: any combination of filters, newest first, in pages.
 *
 * Pages continue from the time-ordered id, so that a page costs the same at any depth. The statement is written for the given filters and
 * has no name, so that PostgreSQL plans it for those values.
 */
import type { PaymentRecord } from '../../contracts/records.ts'
import { isDistributed } from '../database/buckets.ts'
import { firstId } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  Conditions,
  hasCommonFilter,
  hasRareFilter,
  hasScatteredFilter,
  hasUnorderedFilter,
  type PaymentFilter,
  type Timing,
} from './payment-conditions.ts'
import { paymentColumns } from './payment-rows.ts'

export interface FoundPayment {
  readonly id: string
  readonly merchantId: string
  readonly protocol: string
  readonly action: string
  readonly kind: string
  readonly status: string
  readonly test: boolean
  readonly orderId: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  /** `YYYY-MM-DD` at the MID; null before the outcome. */
  readonly financialDay: string | null
  readonly declineReason: string | null
  readonly midId: string | null
  readonly cardMask: string | null
  readonly payerEmail: string | null
  readonly wallet: string | null
  readonly brand: string | null
  /** The number of the attempt in its cascade, from 1. */
  readonly attempt: number
  readonly cascading: PaymentRecord['cascading']
  readonly createdAt: Date
}

/** Columns of `p`. */
export const foundColumns = `p.id, p.merchant_id as "merchantId", p.protocol, p.action, p.kind, p.status, p.test, p.order_id as "orderId",
  p.amount_minor as "amountMinor", p.amount_decimals as "amountDecimals", p.currency, p.authorised_minor as "authorisedMinor",
  p.captured_minor as "capturedMinor", p.refunded_minor as "refundedMinor", p.charged_back_minor as "chargedBackMinor",
  p.financial_day::text as "financialDay", p.decline_reason as "declineReason",
  p.mid_id as "midId", p.card_mask as "cardMask", p.payer_email as "payerEmail", p.facts->'wallet'->>'name' as wallet,
  p.facts->'brand'->>'code' as brand, p.attempt, p.cascading, p.created_at as "createdAt"`

/** `merchantIds` null means all merchants. */
export async function searchPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
  limit: number,
): Promise<readonly FoundPayment[]> {
  const merchants = merchantsOf(filter, merchantIds)
  if (merchants?.length === 0) return []
  const wish = {
    filter: { ...(await withKnownName(on, filter)), merchantId: undefined },
    merchantIds: merchants,
    limit,
  }
  const page = await pageOf(on, wish, 'at once')
  if (filter.from === undefined || page.length >= limit) return page
  // Payments made long after their id have ids from before the range, and follow all others.
  return [...page, ...(await pageOf(on, { ...wish, limit: limit - page.length }, 'late'))]
}

export async function countPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
): Promise<bigint> {
  const where = new Conditions().addFilter(filter, 'any')
  if (merchantIds !== null) where.add(`p.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  const { rows } = await on.query<{ count: bigint }>(
    `select count(*) from payments p where ${where.text}`,
    where.values,
  )
  return rows[0]?.count ?? 0n
}

/** The attempts of a cascade in order; for a payment outside a cascade, that payment. Chapter 10 §6.2. */
export async function attemptsOfCascade(
  on: Queryable,
  merchantId: string,
  firstId: string,
): Promise<readonly FoundPayment[]> {
  const text = `select ${foundColumns} from payments p
    where p.merchant_id = $1
      and p.id in (select $2::uuid union all select id from payments where merchant_id = $1 and cascade_id = $2)
    order by p.attempt`
  return (await on.query<FoundPayment>(text, [merchantId, firstId])).rows
}

interface PageRequest {
  readonly filter: PaymentFilter
  readonly merchantIds: readonly string[] | null
  readonly limit: number
}

/** Payers with more payments than these have a common name. */
const rareName = 2_000

/** The index of last names has no order: the newest payments of a name that many payers have are not found by it. */
async function withKnownName(on: Queryable, filter: PaymentFilter): Promise<PaymentFilter> {
  const { lastName, ...rest } = filter
  if (lastName === undefined || hasRareFilter(rest)) return filter
  const where = new Conditions().addFilter({ lastName }, 'any')
  const { rows } = await on.query<{ count: bigint }>(
    `select count(*) from (select 1 from payments p where ${where.text} limit ${where.place(rareName + 1)}) named`,
    where.values,
  )
  return (rows[0]?.count ?? 0n) > rareName ? { ...rest, commonName: lastName } : filter
}

/** A filter by one merchant is treated like a scope of one merchant. */
function merchantsOf({ merchantId }: PaymentFilter, merchantIds: readonly string[] | null): readonly string[] | null {
  if (typeof merchantId !== 'string') return merchantIds
  return merchantIds === null || merchantIds.includes(merchantId) ? [merchantId] : []
}

async function pageOf(on: Queryable, wish: PageRequest, timing: Timing): Promise<readonly FoundPayment[]> {
  if (timing === 'late' || isOrdered(wish)) return await runSearch(on, orderedStatement(wish, timing))
  // No index has the matches in order. If many payments match, the recent ones fill the page; if few match, the full search is short.
  const recent = hasUnorderedFilter(wish.filter) ? await runSearch(on, recentStatement(wish)) : []
  if (recent.length >= wish.limit) return recent
  // Citus cannot look up each merchant in a statement over several shards; there each shard finds its newest payments.
  if (await isDistributed(on)) return await runSearch(on, orderedStatement(wish, timing))
  return hasScatteredFilter(wish.filter)
    ? await searchBySummaries(on, wish)
    : await runSearch(on, mergedStatement(wish))
}

async function runSearch(
  on: Queryable,
  { text, values }: ReturnType<typeof orderedStatement>,
): Promise<readonly FoundPayment[]> {
  return (await on.query<FoundPayment>(text, values)).rows
}

/**
 * The planner expects scattered values in every group of pages and would rather read all payments. That few have the value is known here:
 * the newest payments did not fill the page.
 */
const bySummaries =
  'set local enable_seqscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off'

async function searchBySummaries(on: Queryable, wish: PageRequest): Promise<readonly FoundPayment[]> {
  return await inTransaction(on, async (client) => {
    await client.query(bySummaries)
    return await runSearch(client, orderedStatement(wish, 'at once'))
  })
}

/** True if one index yields the matches sorted, or the matches are few. */
function isOrdered({ filter, merchantIds }: PageRequest): boolean {
  if (hasRareFilter(filter)) return true
  if (merchantIds === null) return !hasCommonFilter(filter)
  return merchantIds.length === 1 && filter.midIds === undefined
}

function orderedStatement({ filter, merchantIds, limit }: PageRequest, timing: Timing) {
  const where = new Conditions()
  if (merchantIds !== null) where.add(merchantCondition(where, filter, merchantIds))
  where.addFilter(filter, timing)
  const text = `select ${foundColumns} from payments p where ${where.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

function merchantCondition(where: Conditions, filter: PaymentFilter, merchantIds: readonly string[]): string {
  const [only, ...others] = merchantIds
  // If few payments match, the merchant is only a test on them; `is true` keeps the planner from reading all of the merchant's payments
  // instead.
  if (hasRareFilter(filter) || (others.length > 0 && hasScatteredFilter(filter)))
    return `(p.merchant_id = any(${where.place(merchantIds)}::uuid[])) is true`
  if (others.length > 0) return `p.merchant_id = any(${where.place(merchantIds)}::uuid[])`
  // An equality keeps the order of an index, a list of one value does not. For matches without an order the planner must see the
  // merchant, because the best plan depends on how many payments it has.
  return `p.merchant_id = ${hasUnorderedFilter(filter) ? where.place(only) : where.unseen(only)}`
}

const recentPayments = 5_000

function recentStatement({ filter: { from, to, before, ...filter }, merchantIds, limit }: PageRequest) {
  const where = new Conditions().addFilter({ from, to, before }, 'at once')
  const recent = `select ${paymentColumns()} from payments p where ${where.text} order by p.id desc limit ${recentPayments}`
  if (merchantIds !== null) where.add(`p.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  where.addFilter(filter, 'at once')
  const text = `select ${foundColumns} from (${recent}) p where ${where.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

/**
 * Each merchant, and each of several MIDs, has its payments in a separate order. The newest payment of each is looked up first. A page of n
 * rows needs at most the n orders with the newest payments, and no row of the page is older than the newest payment of the n-th.
 */
function mergedStatement({ filter: { midIds, ...filter }, merchantIds, limit }: PageRequest) {
  const where = new Conditions()
  const whose = merchantIds === null ? 'true' : `id = any(${where.place(merchantIds)}::uuid[])`
  const mids = midIds === undefined ? '' : `cross join unnest(${where.place(midIds)}::uuid[]) as of_mid (mid_id)`
  const named = midIds === undefined ? 'merchant_id' : 'merchant_id, mid_id'
  const lines = where.place(limit)
  const fits = (order: string): string =>
    `p.merchant_id = ${order}.merchant_id ${midIds === undefined ? '' : `and p.mid_id = ${order}.mid_id`} and ${conditions}`
  const conditions = where.addFilter(filter, 'at once').text
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
