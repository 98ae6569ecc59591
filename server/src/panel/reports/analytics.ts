/** Approval rates by day and attribute, compared with the period before. Chapter 70 §6. */
import type { Mode } from '#domain/merchant.ts'
import { addDays } from '#domain/schedule/day.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { ReadSource } from '../../store/instance/read-source.ts'
import { type AnalyticsRow, readAnalyticsRows, readSummarisedUntil } from '../../store/payments/summaries/analytics.ts'
import { type Dimension, dimensions } from '../../store/payments/summaries/dimensions.ts'
import { readPageFunnel, sessionsCounted } from '../../store/sessions/page-funnel.ts'
import type { Grant } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { midNamed } from '../payments/payments.ts'
import { scopeOf } from './dashboard.ts'

const rowsAtMost = 50
/** The payments since the last count are read live as long as they are few. */
const liveAtMostMs = 15 * 60_000

type Attribute = Exclude<Dimension, 'total'>
export const attributes: readonly Attribute[] = dimensions.filter((dimension) => dimension !== 'total')

interface AnalyticsQuery {
  /** The first and the last day, `YYYY-MM-DD` in UTC. */
  readonly from: string
  readonly to: string
  readonly merchantId: string | null
  readonly mode: Mode
  readonly by: Attribute
  /** The series of one value in place of all payments; the empty text: payments without a value. */
  readonly value: string | null
}

interface Counts {
  readonly payments: number
  readonly approved: number
  readonly declined: number
  /** Share of decided payments that were approved; null if none is decided. */
  readonly approvalRate: number | null
}

interface Amount {
  readonly currency: string
  readonly decimals: number
  readonly approvedMinor: bigint
}

/** What the command line has of the panel's context, too. */
type AnalyticsSource = Pick<PanelContext, 'clock' | 'configuration'> & { readonly reports: Pick<ReadSource, 'read'> }

export async function readAnalyticsFor(context: AnalyticsSource, grant: Grant, wish: AnalyticsQuery) {
  const { from, to, mode, by, value } = wish
  const end = addDays(to, 1)
  const days = (Date.parse(end) - Date.parse(from)) / dayMs
  const begin = addDays(from, -days)
  const range = { from: begin, to: end, mode, merchantIds: scopeOf(grant, wish.merchantId) }
  const { until, all, byValue } = await context.reports.read(async (on) => {
    const counted = await readSummarisedUntil(on)
    const liveFrom = isRecent(counted, context.clock.now()) ? counted : null
    return {
      until: counted,
      all: await readAnalyticsRows(on, { ...range, dimension: 'total' }, liveFrom),
      byValue: await readAnalyticsRows(on, { ...range, dimension: by }, liveFrom),
    }
  })
  const isNow = ({ day }: AnalyticsRow): boolean => day >= from
  const series = value === null ? all : byValue.filter((row) => row.value === value)
  return {
    from,
    to,
    today: utcDay(context.clock.now()),
    before: { from: begin, to: addDays(from, -1) },
    countedUntil: until,
    complete: isRecent(until, context.clock.now()),
    totals: { ...countsOf(series.filter(isNow)), amounts: amountsOf(series.filter(isNow)) },
    totalsBefore: countsOf(series.filter((row) => !isNow(row))),
    overTime: Array.from({ length: days }, (_, index) => {
      const day = addDays(from, index)
      const dayBefore = addDays(begin, index)
      return {
        day,
        ...countsOf(series.filter((row) => row.day === day)),
        rateBefore: countsOf(series.filter((row) => row.day === dayBefore)).approvalRate,
      }
    }),
    rowsTotal: new Set(byValue.map((row) => row.value)).size,
    rows: rowsOf(byValue, isNow).map((row) => ({ ...row, name: by === 'mid' ? midNamed(context, row.value) : null })),
  }
}

type FunnelQuery = Omit<AnalyticsQuery, 'by' | 'value'>

export async function readFunnelFor(context: PanelContext, grant: Grant, { from, to, mode, merchantId }: FunnelQuery) {
  const now = context.clock.now()
  const range = { from: new Date(from), to: new Date(addDays(to, 1)), now, mode }
  const funnel = await context.reports.read((on) =>
    readPageFunnel(on, { ...range, merchantIds: scopeOf(grant, merchantId) }),
  )
  return { ...funnel, complete: funnel.sessions < sessionsCounted }
}

/** The values with the most payments. */
function rowsOf(rows: readonly AnalyticsRow[], isNow: (row: AnalyticsRow) => boolean) {
  const values = Map.groupBy(rows, ({ value }) => value)
  return [...values]
    .map(([value, own]) => ({
      value,
      ...countsOf(own.filter(isNow)),
      amounts: amountsOf(own.filter(isNow)),
      before: countsOf(own.filter((row) => !isNow(row))),
    }))
    .toSorted((one, other) => other.payments - one.payments || other.before.payments - one.before.payments)
    .slice(0, rowsAtMost)
}

function countsOf(rows: readonly AnalyticsRow[]): Counts {
  const sum = (name: 'payments' | 'approved' | 'declined'): number => rows.reduce((all, row) => all + row[name], 0)
  const approved = sum('approved')
  const declined = sum('declined')
  const approvalRate = approved + declined === 0 ? null : approved / (approved + declined)
  return { payments: sum('payments'), approved, declined, approvalRate }
}

/** Each currency by itself. */
function amountsOf(rows: readonly AnalyticsRow[]): readonly Amount[] {
  const sums = new Map<string, Amount>()
  for (const { currency, decimals, approvedMinor } of rows) {
    const key = `${currency} ${decimals}`
    const before = sums.get(key)?.approvedMinor ?? 0n
    if (approvedMinor > 0n) sums.set(key, { currency, decimals, approvedMinor: before + approvedMinor })
  }
  return [...sums.values()].toSorted((one, other) => one.currency.localeCompare(other.currency))
}

const isRecent = (until: Date | null, now: Date): boolean =>
  until !== null && now.getTime() - until.getTime() <= liveAtMostMs
