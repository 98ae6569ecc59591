/** Analytics: approval rates over time and by attribute, compared with the period before. Chapter 70 §6. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { DataAge } from '../../kit/data-age.tsx'
import { DateRange } from '../../kit/form/date-range.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Columns, Page, Section } from '../../kit/page.tsx'
import { Empty, Notice, ReadResult } from '../../kit/states.tsx'
import { Chart } from '../../kit/values/chart.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { dateText } from '../../kit/values/instants.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import { mode } from '../../session/mode.ts'
import { type Analytics, type AnalyticsFilters, dimensionNamed, dimensions } from './counted-filter.ts'
import { PageFunnel } from './page-funnel.tsx'
import { changeText, rateText } from './rate-text.ts'
import { ValueTable, valueTitle } from './value-table.tsx'

export function AnalyticsPage(): JSX.Element {
  const filters = useFilters(['merchantId', 'from', 'to', 'by', 'value'])
  const merchants = useMerchants()
  const { merchantId, from, to, value } = filters.values
  const [by] = dimensionNamed(filters.values.by)
  const test = mode.value === 'test' ? ('true' as const) : ('false' as const)
  const range = { merchantId: merchantId || undefined, from: from || undefined, to: to || undefined, test }
  const read = useReading('GET /analytics', { query: { ...range, by, ...(value === '' ? {} : { value }) } })
  const funnel = useReading('GET /analytics/funnel', { query: range })
  return (
    <Page title="Analytics">
      <div class="dashboard-filters">
        <FilterBar
          filters={{ ...filters, count: 0, set: (changes) => filters.set({ ...changes, value: '' }) }}
          fields={[
            { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices, any: 'All merchants' },
            { kind: 'choice', name: 'by', label: 'By', options: dimensionChoices, any: 'MID' },
          ]}
        />
        {read.value !== null && (
          <DateRange
            from={from || read.value.from}
            to={to || read.value.to}
            today={read.value.today}
            onChange={(days) => filters.set(days)}
          />
        )}
      </div>
      <p class="faint">Days are in UTC.</p>
      <DataAge />
      <ReadResult read={read} lines={10}>
        {(analytics) => <Figures analytics={analytics} filters={filters} />}
      </ReadResult>
      <ReadResult read={funnel} lines={3}>
        {(counted) => <PageFunnel funnel={counted} />}
      </ReadResult>
    </Page>
  )
}

const dimensionChoices = dimensions.slice(1).map(([value, text]) => ({ value, text }))

interface FiguresProps {
  readonly analytics: Analytics
  readonly filters: AnalyticsFilters
}

function Figures({ analytics, filters }: FiguresProps): JSX.Element {
  const { totals, totalsBefore, overTime, before } = analytics
  const period = `${dateText(before.from)} – ${dateText(before.to)}`
  if (totals.payments === 0 && totalsBefore.payments === 0 && analytics.rows.length === 0)
    return (
      <Empty title={`No ${mode.value} payments in this period.`}>
        <p>Select a longer period, or switch between live and test.</p>
      </Empty>
    )
  return (
    <>
      {!analytics.complete && <BehindNotice until={analytics.countedUntil} />}
      <Chosen analytics={analytics} filters={filters} />
      <Totals analytics={analytics} period={period} />
      <Columns>
        <Section>
          <Chart
            title="Approval rate"
            times={overTime.map(({ day }) => Date.parse(`${day}T00:00:00`) / 1000)}
            series={[
              { label: 'This period', values: overTime.map(({ approvalRate }) => percentOf(approvalRate)), tone: 2 },
              { label: period, values: overTime.map(({ rateBefore }) => percentOf(rateBefore)), tone: 6 },
            ]}
            format={(value) => rateText(value / 100)}
          />
        </Section>
        <Section>
          <Chart
            title="Payments"
            times={overTime.map(({ day }) => Date.parse(`${day}T00:00:00`) / 1000)}
            series={[
              { label: 'Approved', values: overTime.map(({ approved }) => approved), tone: 2 },
              { label: 'Declined', values: overTime.map(({ declined }) => declined), tone: 5 },
            ]}
          />
        </Section>
      </Columns>
      <ValueTable analytics={analytics} filters={filters} />
    </>
  )
}

const percentOf = (rate: number | null): number | null => (rate === null ? null : Math.round(rate * 1000) / 10)

/** What the charts are of, if it is one value. */
function Chosen({ analytics, filters }: FiguresProps): JSX.Element | null {
  const { value, by } = filters.values
  if (value === '') return null
  const row = analytics.rows.find((one) => one.value === value)
  return (
    <Notice>
      Figures and charts are of {dimensionNamed(by)[1]} <b>{row ? valueTitle(row, by) : value}</b> only.{' '}
      <button type="button" class="link" onClick={() => filters.set({ value: '' })}>
        Show all payments
      </button>
    </Notice>
  )
}

const BehindNotice = ({ until }: { readonly until: string | null }): JSX.Element => (
  <Notice tone="warn">
    {until === null ? (
      'Payments have not been counted yet. A worker counts them within minutes.'
    ) : (
      <>
        Counted up to <DateTime at={until} />. Newer payments follow when a worker has counted them.
      </>
    )}
  </Notice>
)

function Totals({ analytics, period }: { readonly analytics: Analytics; readonly period: string }): JSX.Element {
  const { totals, totalsBefore } = analytics
  const change = changeText(totals.approvalRate, totalsBefore.approvalRate)
  return (
    <dl class="tiles">
      <div class="section">
        <dt class="faint">Approval rate</dt>
        <dd class="tile-value">{rateText(totals.approvalRate)}</dd>
        <dd class="faint">{change === null ? `No rate ${period}` : `${change} against ${period}`}</dd>
      </div>
      <div class="section">
        <dt class="faint">Payments</dt>
        <dd class="tile-value">{countText(totals.payments)}</dd>
        <dd class="faint">
          {countText(totals.approved)} approved, {countText(totals.declined)} declined,{' '}
          {countText(totals.payments - totals.approved - totals.declined)} open; {countText(totalsBefore.payments)}{' '}
          before
        </dd>
      </div>
      <div class="section">
        <dt class="faint">Approved amount</dt>
        {totals.amounts.length === 0 && <dd class="tile-value">—</dd>}
        {totals.amounts.map(({ currency, decimals, approvedMinor }) => (
          <dd key={`${currency} ${decimals}`} class={totals.amounts.length === 1 ? 'tile-value' : undefined}>
            {moneyText({ minor: approvedMinor, currency, decimals })}
          </dd>
        ))}
      </div>
    </dl>
  )
}
