/**
 * What is booked because its day has come: monthly fees, and releases of the reserve. Each entry's source names its month or day, so that it
 * is booked once, whichever worker looks. See decisions/statements#closed-and-chained.
 */
import { addDays } from '#domain/schedule/day.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import { listAllPriceLists, priceListStore, type StoredPriceList } from '../configuration/price-lists.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { lockWholeLedger } from '../months/whole-ledger.ts'
import { accountStore } from './accounts.ts'

/** Returns the number of entries. A fault of one merchant does not stop the others; the first one is thrown at the end. */
export async function bookPeriodicCharges(pool: Pool, now: Date): Promise<number> {
  const lists = Map.groupBy(await listAllPriceLists(pool), ({ merchantId }) => merchantId)
  const faults: unknown[] = []
  let booked = 0
  for (const [merchantId, own] of lists)
    try {
      booked += await bookMonthlyFees(pool, { merchantId, lists: own }, now)
      for (const list of own) booked += await releaseReserve(pool, list, now)
    } catch (error) {
      faults.push(error)
    }
  if (faults.length > 0) throw faults[0]
  return booked
}

interface OwnLists {
  readonly merchantId: string
  readonly lists: readonly StoredPriceList[]
}

/** A month is charged when it begins, or when the merchant's first list of that month does. */
async function bookMonthlyFees(pool: Pool, { merchantId, lists }: OwnLists, now: Date): Promise<number> {
  const today = utcDay(now)
  const due = lists
    .filter(({ validFrom }) => validFrom <= today)
    .flatMap((list) => monthsOf(list, today).map((month) => ({ month, list })))
    // Lists are in the order of their days: the first one of a month decides.
    .filter(({ month }, index, all) => all.findIndex((one) => one.month === month) === index)
  const fees = due.flatMap(({ month, list }) =>
    list.monthly.map((fee) => ({ ...fee, source: `monthly fee ${month} ${fee.currency}` })),
  )
  if (fees.length === 0) return 0
  const accounts = accountStore(pool)
  const sources = fees.map(({ source }) => source)
  const known = await accounts.findKnown(merchantId, sources)
  let booked = 0
  for (const { source, currency, amountMinor } of fees)
    if (!known.has(source) && amountMinor > 0n)
      if (await accounts.book({ merchantId, source, from: 'payable', to: 'fees', currency, amountMinor, at: now }))
        booked += 1
  return booked
}

/** The months, `YYYY-MM`, in which the list applied on some day until today. */
function monthsOf({ validFrom, validTo }: StoredPriceList, today: string): readonly string[] {
  const last = (validTo !== null && validTo < today ? validTo : today).slice(0, 7)
  const months: string[] = []
  for (let month = validFrom.slice(0, 7); month <= last; month = monthAfter(month)) months.push(month)
  return months
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Releases the reserve of a day after as many whole days as that day's price list says; a little later while a month of payments is removed. */
async function releaseReserve(pool: Pool, list: StoredPriceList, now: Date): Promise<number> {
  const { merchantId, id, reserve, validFrom, validTo, releasedTo } = list
  if (reserve === null) return 0
  const due = utcDay(now.getTime() - (reserve.days + 1) * dayMs)
  const last = validTo !== null && validTo < due ? validTo : due
  const first = releasedTo === null ? validFrom : addDays(releasedTo, 1)
  if (first > last) return 0
  return await inTransaction(pool, async (client) => {
    if (!(await lockWholeLedger(client))) return 0
    if (!(await priceListStore(client).markReleased(list, last))) return 0
    const accounts = accountStore(client)
    const held = await accounts.reserveByDay(merchantId, new Date(first), new Date(Date.parse(last) + dayMs))
    let booked = 0
    for (const { day, currency, amountMinor } of held) {
      const source = `reserve ${id} ${day} ${currency}`
      if (await accounts.book({ merchantId, source, from: 'reserve', to: 'payable', currency, amountMinor, at: now }))
        booked += 1
    }
    return booked
  })
}
