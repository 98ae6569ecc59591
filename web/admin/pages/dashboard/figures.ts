/** The figures of the dashboard as data for charts: one currency, without gaps in time. */
import type { Answer } from '../../api/call.ts'

export type Dashboard = Answer<'GET /dashboard'>
export type Figures = Dashboard['totals'][number]
type Bucket = Dashboard['bucket']

/**
 * Amounts of different currencies cannot be added, so the dashboard shows one currency at a time, the busiest first; those with payouts
 * alone come last.
 */
export function currenciesOf({ totals, byKind }: Pick<Dashboard, 'totals' | 'byKind'>): readonly string[] {
  const busiest = totals.toSorted((one, other) => other.payments - one.payments).map(({ currency }) => currency)
  return [...new Set([...busiest, ...byKind.map(({ currency }) => currency)])]
}

/** The currency of the filter if there are figures of it, and otherwise the busiest. */
export function chosenCurrency(dashboard: Pick<Dashboard, 'totals' | 'byKind'>, wanted: string): string | undefined {
  const currencies = currenciesOf(dashboard)
  return currencies.find((one) => one === wanted) ?? currencies[0]
}

export const inCurrency = <Row extends { readonly currency: string }>(
  rows: readonly Row[],
  currency: string,
): readonly Row[] => rows.filter((row) => row.currency === currency)

interface Series {
  /** In seconds since 1970. */
  readonly times: readonly number[]
  readonly approved: readonly number[]
  readonly declined: readonly number[]
  readonly open: readonly number[]
  /** In percent; null if no payment was decided. */
  readonly approvalRate: readonly (number | null)[]
  /** In units of the currency; rounding errors do not matter in a chart. */
  readonly captured: readonly number[]
  readonly refunded: readonly number[]
  readonly chargedBack: readonly number[]
}

export function seriesOf(dashboard: Dashboard, currency: string): Series {
  const found = byTime(inCurrency(dashboard.overTime, currency))
  const steps = stepsWith(dashboard, found.keys())
  const of = <T>(read: (row: Figures) => T, none: T): readonly T[] =>
    steps.map((step) => {
      const row = found.get(step)
      return row ? read(row) : none
    })
  return {
    times: steps.map((step) => step / 1000),
    approved: of((row) => row.approved, 0),
    declined: of((row) => row.declined, 0),
    open: of((row) => row.open, 0),
    approvalRate: of((row) => row.approvalRate && 100 * row.approvalRate, null),
    captured: of((row) => unitsOf(row.capturedMinor, row.decimals), 0),
    refunded: of((row) => unitsOf(row.refundedMinor, row.decimals), 0),
    chargedBack: of((row) => unitsOf(row.chargedBackMinor, row.decimals), 0),
  }
}

export interface OutSeries {
  readonly times: readonly number[]
  /** In units of the currency; null if there were none in the whole time. */
  readonly paidOut: readonly number[] | null
  readonly transferred: readonly number[] | null
}

/** Payouts and transfers, which are never captured; null if there were none. */
export function outSeriesOf(dashboard: Dashboard, currency: string): OutSeries | null {
  const payouts = byTime(inCurrency(dashboard.payoutsOverTime, currency))
  const transfers = byTime(inCurrency(dashboard.transfersOverTime, currency))
  if (payouts.size === 0 && transfers.size === 0) return null
  const steps = stepsWith(dashboard, [...payouts.keys(), ...transfers.keys()])
  const amounts = (rows: typeof payouts): readonly number[] | null => {
    if (rows.size === 0) return null
    return steps.map((step) => {
      const row = rows.get(step)
      return row ? unitsOf(row.amountMinor, row.decimals) : 0
    })
  }
  return { times: steps.map((step) => step / 1000), paidOut: amounts(payouts), transferred: amounts(transfers) }
}

const byTime = <Row extends { readonly at: string }>(rows: readonly Row[]): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [Date.parse(row.at), row]))

const stepsWith = (dashboard: Dashboard, found: Iterable<number>): readonly number[] =>
  [...new Set([...stepsOf({ ...dashboard, from: dashboard.countedFrom }), ...found])].toSorted(
    (one, other) => one - other,
  )

const unitsOf = (minor: string, decimals: number): number => Number(minor) / 10 ** decimals

interface Span {
  readonly from: string
  readonly to: string
  readonly bucket: Bucket
}

/** The first instants of all hours, days or weeks of the range in the viewer's time zone, in milliseconds since 1970. */
export function stepsOf({ from, to, bucket }: Span): readonly number[] {
  const end = Date.parse(to)
  const steps: number[] = []
  for (let step = beginningOf(new Date(from), bucket); step.getTime() < end; step = after(step, bucket))
    steps.push(step.getTime())
  return steps
}

function beginningOf(instant: Date, bucket: Bucket): Date {
  const step = new Date(instant)
  step.setMinutes(0, 0, 0)
  if (bucket === 'hour') return step
  step.setHours(0)
  // Weeks begin on Monday.
  if (bucket === 'week') step.setDate(step.getDate() - ((step.getDay() + 6) % 7))
  return step
}

function after(step: Date, bucket: Bucket): Date {
  const next = new Date(step)
  // Hours advance by elapsed time: a day on which the clocks change has 23 or 25.
  if (bucket === 'hour') next.setTime(step.getTime() + 3_600_000)
  else next.setDate(step.getDate() + (bucket === 'day' ? 1 : 7))
  return next
}

/** The server ranks by all currencies; the list shows one. */
export const largestFirst = <Row extends { readonly payments: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => other.payments - one.payments)
