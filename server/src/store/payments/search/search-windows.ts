/**
 * The months that a search reads, newest first, until its page is full. Payments are in parts by month: a statement that names its months is
 * planned for these parts alone and touches no other.
 */
import { paymentIdsBefore, paymentIdsFrom, timeOfId } from '../../database/id-bounds.ts'
import type { Queryable } from '../../database/pool.ts'
import { lowestId, monthStart } from '../../months/month-bounds.ts'
import type { Conditions, PaymentFilter, Timing } from './payment-conditions.ts'

/** Ids from `from`, and below `to`; null has no bound. */
export interface Window {
  readonly from: string | null
  readonly to: string
}

interface Reach {
  readonly oldest: string
  readonly newest: string
}

/** More months than an instance keeps. Ids below are not of our clock, and are read as one window. */
const mostMonths = 240
/** Each window is this many times as long as the one before, so that a page is found in few statements wherever it is. */
const growth = 8

/** The months of the filter that have payments, newest first. */
export async function listMonths(on: Queryable, filter: PaymentFilter): Promise<readonly Window[]> {
  const reach = await readReach(on)
  if (reach === null) return []
  const newest = timeOfId(smallest([reach.newest, ...upperIds(filter)]))
  const oldest = filter.from instanceof Date ? largest([reach.oldest, paymentIdsFrom(filter.from)]) : reach.oldest
  const months: Window[] = []
  for (let ahead = 0; ; ahead -= 1) {
    const [from, to] = [lowestId(monthStart(newest, ahead)), lowestId(monthStart(newest, ahead + 1))]
    if (to <= oldest) return months
    if (ahead === -mostMonths) return [...months, { from: null, to }]
    months.push({ from, to })
  }
}

/** The same months in windows that grow. */
export function windowsOf(months: readonly Window[]): readonly Window[] {
  const windows: Window[] = []
  let size = 1
  for (let first = 0; first < months.length; size *= growth) {
    const last = Math.min(first + size, months.length) - 1
    windows.push({ from: months[last]?.from ?? null, to: months[first]?.to ?? '' })
    first = last + 1
  }
  return windows
}

/**
 * Adds a filter within a window. The bounds of months are seen by the planner, which leaves out the other parts; the page's own bound is not,
 * because for a short range it would read all of it instead of an index in order.
 */
export function addWindow(where: Conditions, filter: PaymentFilter, timing: Timing, window?: Window): Conditions {
  if (window === undefined) return where.addFilter(filter, timing)
  const { before, ...rest } = filter
  if (window.from !== null) where.add(`p.id >= ${where.place(window.from)}`)
  where.add(`p.id < ${where.place(window.to)}`)
  if (typeof before === 'string') where.add(`p.id < ${where.hide(before)}`)
  return where.addFilter(rest, timing)
}

const upperIds = ({ before, to }: PaymentFilter): readonly string[] => [
  ...(typeof before === 'string' ? [before] : []),
  ...(to instanceof Date ? [paymentIdsBefore(to)] : []),
]

async function readReach(on: Queryable): Promise<Reach | null> {
  const { rows } = await on.query<{ id: string }>(
    `(select id from payments order by id desc limit 1) union all (select id from payments order by id limit 1)`,
  )
  const ids = rows.map(({ id }) => id)
  return ids.length === 0 ? null : { oldest: smallest(ids), newest: largest(ids) }
}

const smallest = (ids: readonly string[]): string => ids.toSorted()[0] ?? ''
const largest = (ids: readonly string[]): string => ids.toSorted().at(-1) ?? ''
