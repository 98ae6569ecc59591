/**
 * Payments as a person looks for them: any filters together, newest first, page by page.
 *
 * Pages go by the identifier, which is time-ordered, so that a page costs the same at any depth. The statement is written for the
 * filters that were given and has no name, so that PostgreSQL plans it for those values and not for all.
 */
import type { PaymentRecord } from '../../contracts/records.ts'
import { firstId } from '../database/id-bounds.ts'
import type { Queryable } from '../database/pool.ts'
import { Conditions, namesAmounts, namesFew, namesMany, type PaymentFilter, type Timing } from './payment-conditions.ts'
import { paymentColumns } from './payment-rows.ts'

export interface FoundPayment {
  readonly id: string
  readonly merchantId: string
  readonly protocol: string
  readonly action: string
  readonly status: string
  readonly test: boolean
  readonly orderId: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly declineReason: string | null
  readonly midId: string | null
  readonly cardMask: string | null
  readonly payerEmail: string | null
  readonly wallet: string | null
  readonly brand: string | null
  /** Its number in the cascade, from 1. */
  readonly attempt: number
  readonly cascading: PaymentRecord['cascading']
  readonly createdAt: Date
}

/** Columns of `p`. */
export const foundColumns = `p.id, p.merchant_id as "merchantId", p.protocol, p.action, p.status, p.test, p.order_id as "orderId",
  p.amount_minor as "amountMinor", p.amount_decimals as "amountDecimals", p.currency, p.authorised_minor as "authorisedMinor",
  p.captured_minor as "capturedMinor", p.refunded_minor as "refundedMinor", p.decline_reason as "declineReason",
  p.mid_id as "midId", p.card_mask as "cardMask", p.payer_email as "payerEmail", p.facts->'wallet'->>'name' as wallet,
  p.facts->'brand'->>'code' as brand, p.attempt, p.cascading, p.created_at as "createdAt"`

/** `merchantIds` null means all of them. */
export async function searchPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
  limit: number,
): Promise<readonly FoundPayment[]> {
  const wish = { filter: { ...filter, merchantId: undefined }, merchantIds: merchantsOf(filter, merchantIds), limit }
  if (wish.merchantIds?.length === 0) return []
  const page = await pageOf(on, wish, 'at once')
  if (filter.from === undefined || page.length >= limit) return page
  // Those that came late have identifiers from before the time that was asked for, and follow all others.
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

/** The attempts of a cascade in their order; of a payment that is in none, that payment. Chapter 10 §6.2. */
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

interface Wish {
  readonly filter: PaymentFilter
  readonly merchantIds: readonly string[] | null
  readonly limit: number
}

/** One merchant by its name is found as one by the scope is. */
function merchantsOf({ merchantId }: PaymentFilter, merchantIds: readonly string[] | null): readonly string[] | null {
  if (typeof merchantId !== 'string') return merchantIds
  return merchantIds === null || merchantIds.includes(merchantId) ? [merchantId] : []
}

async function pageOf(on: Queryable, wish: Wish, timing: Timing): Promise<readonly FoundPayment[]> {
  if (timing === 'late' || isInOneOrder(wish)) return await asked(on, inOneOrder(wish, timing))
  // Amounts of a range lie in no order at all. A range that many are in is full soon, and one that few are in is short.
  const recent = namesAmounts(wish.filter) ? await asked(on, amongRecent(wish)) : []
  return recent.length >= wish.limit ? recent : await asked(on, inManyOrders(wish))
}

async function asked(on: Queryable, { text, values }: ReturnType<typeof inOneOrder>): Promise<readonly FoundPayment[]> {
  return (await on.query<FoundPayment>(text, values)).rows
}

/** Whether one index has all that fit in their order, or few fit. */
function isInOneOrder({ filter, merchantIds }: Wish): boolean {
  if (namesFew(filter)) return true
  if (merchantIds === null) return !namesMany(filter)
  return merchantIds.length === 1 && filter.midIds === undefined
}

function inOneOrder({ filter, merchantIds, limit }: Wish, timing: Timing) {
  const where = new Conditions()
  if (merchantIds !== null) where.add(whoseIn(where, filter, merchantIds))
  where.addFilter(filter, timing)
  const text = `select ${foundColumns} from payments p where ${where.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

function whoseIn(where: Conditions, filter: PaymentFilter, merchantIds: readonly string[]): string {
  const [only, ...others] = merchantIds
  // What few have is looked through for the merchant's own: as a test it leads the planner to no list of all that the merchant has.
  if (namesFew(filter)) return `(p.merchant_id = any(${where.place(merchantIds)}::uuid[])) is true`
  if (others.length > 0) return `p.merchant_id = any(${where.place(merchantIds)}::uuid[])`
  // An equality keeps the order of an index that has something behind it, a list of one does not. How to read a range of amounts
  // depends on how many payments the merchant has.
  return `p.merchant_id = ${namesAmounts(filter) ? where.place(only) : where.unseen(only)}`
}

const recentPayments = 5_000

function amongRecent({ filter: { from, to, before, ...filter }, merchantIds, limit }: Wish) {
  const where = new Conditions().addFilter({ from, to, before }, 'at once')
  const recent = `select ${paymentColumns()} from payments p where ${where.text} order by p.id desc limit ${recentPayments}`
  if (merchantIds !== null) where.add(`p.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  where.addFilter(filter, 'at once')
  const text = `select ${foundColumns} from (${recent}) p where ${where.text} order by p.id desc limit ${where.place(limit)}`
  return { text, values: where.values }
}

/**
 * Each merchant, and each of several MIDs, has its payments in an order of its own. The newest of each is looked up; a page has room for so
 * many orders as it has lines, and none of its lines is older than the newest of the last of these.
 */
function inManyOrders({ filter: { midIds, ...filter }, merchantIds, limit }: Wish) {
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
