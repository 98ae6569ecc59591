/**
 * The payment search: any combination of filters, newest first, in pages.
 *
 * Pages continue from the time-ordered id, so that a page costs the same at any depth. The way to the matches is chosen by the filters: the
 * planner knows how many payments have a value, but not where the newest of them are, and would read all of them or all others. Statements
 * have no names, so that PostgreSQL plans them for the given values. See decisions/database#search-by-merchant,
 * decisions/database#values-without-an-index and decisions/months#search-by-month.
 */
import { isDistributed } from '../../database/buckets.ts'
import type { Queryable } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type FoundPayment, foundColumns } from './found-payment.ts'
import { Conditions, isFoundBy, type PaymentFilter, partFoundBy, withExactAmount } from './payment-conditions.ts'
import {
  amongStatement,
  idsStatement,
  mergedStatement,
  orderedStatement,
  type PageRequest,
  recentStatement,
  type SearchStatement,
  sortedStatement,
  taggedStatement,
  unsortedStatement,
} from './search-statements.ts'
import { listMonths, type Window, windowsOf } from './search-windows.ts'

interface SearchSizes {
  /** So many of the newest payments are looked through before any index. */
  readonly recent: number
  /** So many matches of one month are read and sorted; if there are more, the newest are found in order. */
  readonly fewOfMonth: number
  /** So many payments that one index finds, by the beginning of a text or a range of amounts, are read and sorted. */
  readonly rare: number
}

/** `merchantIds` null means all merchants. */
type SearchPayments = (
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
  limit: number,
) => Promise<readonly FoundPayment[]>

export const searchPayments: SearchPayments = paymentSearch({ recent: 5_000, fewOfMonth: 200, rare: 2_000 })

export function paymentSearch(sizes: SearchSizes): SearchPayments {
  return async (on, filter, merchantIds, limit) => {
    const merchants = merchantsOf(filter, merchantIds)
    if (merchants?.length === 0) return []
    const wish = {
      filter: withExactAmount({ ...filter, merchantId: undefined }),
      merchantIds: merchants,
      limit,
      isDistributed: await isDistributed(on),
    }
    const page = wish.isDistributed ? await listOverShards(on, wish, sizes) : await readPage(on, wish, sizes)
    if (filter.from === undefined || page.length >= limit) return page
    // Payments made long after their id have ids from before the range, and follow all others.
    return [...page, ...(await run(on, orderedStatement({ ...wish, limit: limit - page.length }, 'late')))]
  }
}

export async function countPayments(
  on: Queryable,
  filter: PaymentFilter,
  merchantIds: readonly string[] | null,
): Promise<bigint> {
  const where = new Conditions()
  const isApart = merchantIds !== null && merchantIds.length > 0 && (await isDistributed(on))
  if (isApart) where.addShardsOf(merchantIds)
  where.addFilter(filter, 'any')
  if (merchantIds !== null && !isApart) where.add(`p.merchant_id = any(${where.place(merchantIds)}::uuid[])`)
  const { rows } = await on.query<{ count: bigint }>(
    `select count(*) from payments p where ${where.text}`,
    where.values,
  )
  return rows[0]?.count ?? 0n
}

/** The attempts of a cascade in order; for a payment outside a cascade, that payment. Chapter 10 §6.2. */
export async function listAttemptsOfCascade(
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

/** A filter by one merchant is treated like a scope of one merchant. */
function merchantsOf({ merchantId }: PaymentFilter, merchantIds: readonly string[] | null): readonly string[] | null {
  if (typeof merchantId !== 'string') return merchantIds
  return merchantIds === null || merchantIds.includes(merchantId) ? [merchantId] : []
}

/** The newest payment of each of so many merchants is looked up in all months at once; of more, month by month. */
const fewMerchants = 20

async function readPage(on: Queryable, wish: PageRequest, sizes: SearchSizes): Promise<readonly FoundPayment[]> {
  const { filter, merchantIds } = wish
  if (isFoundBy(filter, 'few')) return await run(on, orderedStatement(wish))
  if (isFoundBy(filter, 'tags')) return await run(on, taggedStatement(wish))
  if (isFoundBy(filter, 'beginning') && (await isRare(on, filter, sizes.rare)))
    return await run(on, sortedStatement(wish))
  if (isFoundBy(filter, 'beginning', 'range', 'scattered')) return await listByMonth(on, wish, sizes)
  if (hasOneOrder(wish)) return await run(on, orderedStatement(wish), inOrder)
  if (merchantIds !== null && merchantIds.length <= fewMerchants) return await run(on, mergedStatement(wish), inOrder)
  return await fillPage(wish, windowsOf(await listMonths(on, filter)), (rest, window) =>
    run(on, mergedStatement(rest, window), inOrder),
  )
}

/** Citus cannot look up each merchant in a statement over several shards; there each shard finds its newest payments. */
async function listOverShards(on: Queryable, wish: PageRequest, sizes: SearchSizes): Promise<readonly FoundPayment[]> {
  const isUnsorted =
    isFoundBy(wish.filter, 'beginning', 'range', 'scattered', 'plain') &&
    !isFoundBy(wish.filter, 'few', 'tags') &&
    wish.merchantIds?.length !== 1
  const page = isUnsorted ? await run(on, recentStatement(wish, sizes.recent)) : []
  return page.length >= wish.limit ? page : await run(on, orderedStatement(wish))
}

/** True if one index has all matches in order, or all payments in order are walked through. */
function hasOneOrder({ filter, merchantIds }: PageRequest): boolean {
  if (merchantIds === null) return !isFoundBy(filter, 'many')
  return merchantIds.length === 1 && filter.midIds === undefined
}

/** Counted by the index alone: a bitmap, or all payments, would be read whole before the limit ends the count. */
async function isRare(on: Queryable, filter: PaymentFilter, most: number): Promise<boolean> {
  const where = new Conditions().addFilter(partFoundBy(filter, 'beginning'), 'any')
  const text = `select 1 from payments p where ${where.text} limit ${where.place(most + 1)}`
  return (await run(on, { text, values: where.values }, byIndex)).length <= most
}

/**
 * No index has the matches in order. The newest payments fill the page if many match. Otherwise each month is asked for some of its matches:
 * if they are all of them, they are sorted here; if there are more, a walk through the month's payments in order is short.
 */
async function listByMonth(on: Queryable, wish: PageRequest, sizes: SearchSizes): Promise<readonly FoundPayment[]> {
  // One merchant's own payments lie apart from each other, so that each costs more to read.
  const newest = await run(
    on,
    recentStatement(wish, wish.merchantIds?.length === 1 ? Math.ceil(sizes.recent / 2) : sizes.recent),
  )
  if (newest.length >= wish.limit) return newest
  const few = isFoundByOneIndex(wish.filter) ? findFewByIndex : findFewByBitmap
  return await fillPage(wish, await listMonths(on, wish.filter), async (rest, month) => {
    const found = await few(on, rest, month, sizes)
    if (found !== null) return found
    const isMerged = rest.merchantIds !== null && !hasOneOrder(rest)
    return await run(on, isMerged ? mergedStatement(rest, month) : orderedStatement(rest, 'at once', month), inOrder)
  })
}

/** True if the entries of one index tell how many match. An amount in any currency is another number in each, which the index of amounts does not know. */
const isFoundByOneIndex = (filter: PaymentFilter): boolean =>
  !isFoundBy(filter, 'many', 'scattered') &&
  filter.amountBy === undefined &&
  filter.amountMinBy === undefined &&
  filter.amountMaxBy === undefined

/** The matches of a month if they are few; null if they are not. */
type FewOfMonth = (
  on: Queryable,
  rest: PageRequest,
  month: Window,
  sizes: SearchSizes,
) => Promise<readonly FoundPayment[] | null>

const findFewByBitmap: FewOfMonth = async (on, rest, month, { fewOfMonth }) => {
  const some = await run(on, unsortedStatement({ ...rest, limit: fewOfMonth + 1 }, month), byBitmap)
  return some.length > fewOfMonth ? null : newestFirst(some).slice(0, rest.limit)
}

/** One index finds them and its entries are counted alone; all of a month would be marked before the first is read otherwise. */
const findFewByIndex: FewOfMonth = async (on, rest, month, { rare }) => {
  const found = await run(on, idsStatement({ ...rest, limit: rare + 1 }, month), byIndex)
  if (found.length > rare) return null
  const ids = found.map(({ id }) => id)
  return ids.length === 0 ? [] : await run(on, amongStatement(rest, ids, month))
}

const newestFirst = (found: readonly FoundPayment[]): readonly FoundPayment[] =>
  found.toSorted((one, other) => (one.id < other.id ? 1 : -1))

/** Reads windows from the newest until the page is full. */
async function fillPage(
  wish: PageRequest,
  windows: readonly Window[],
  read: (rest: PageRequest, window: Window) => Promise<readonly FoundPayment[]>,
): Promise<readonly FoundPayment[]> {
  const page: FoundPayment[] = []
  for (const window of windows) {
    if (page.length >= wish.limit) break
    page.push(...(await read({ ...wish, limit: wish.limit - page.length }, window)))
  }
  return page
}

/** What the planner may not do in one statement. */
type Without = readonly ('sort' | 'bitmapscan' | 'seqscan' | 'indexscan' | 'indexonlyscan')[]

const inOrder: Without = ['sort', 'bitmapscan']
const byIndex: Without = ['bitmapscan', 'seqscan']
/** The planner expects scattered values in every group of pages, and would rather read the whole month. */
const byBitmap: Without = ['seqscan', 'indexscan', 'indexonlyscan']

async function run(on: Queryable, { text, values }: SearchStatement, without: Without = []) {
  if (without.length === 0) return (await on.query<FoundPayment>(text, [...values])).rows
  const settings = (state: string): string => without.map((name) => `set local enable_${name} = ${state}`).join('; ')
  return await inTransaction(on, async (client) => {
    await client.query(settings('off'))
    const { rows } = await client.query<FoundPayment>(text, [...values])
    // The transaction may be a longer one of the caller's.
    await client.query(settings('default'))
    return rows
  })
}
