/** The figures of payments over time and by attribute. One currency at a time. */
import type { JSX } from 'preact'
import { Columns, Section } from '../../kit/page.tsx'
import { Chart } from '../../kit/values/chart.tsx'
import type { DashboardFilters } from './dashboard-filters.ts'
import { chosenCurrency, type Dashboard, type OutSeries, outSeriesOf, seriesOf } from './figures.ts'
import { ShareSections } from './share-sections.tsx'

interface FigureChartsProps {
  readonly dashboard: Dashboard
  readonly filters: DashboardFilters
}

const percent = (value: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100)
const compactNumber = (value: number): string =>
  new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(value)

export function FigureCharts({ dashboard, filters }: FigureChartsProps): JSX.Element | null {
  const currency = chosenCurrency(dashboard, filters.values.currency)
  if (currency === undefined) return null
  // A currency with payouts alone has no figures of sales.
  const hasSales = dashboard.totals.some((total) => total.currency === currency)
  return (
    <>
      {hasSales && <SaleCharts dashboard={dashboard} currency={currency} />}
      <OutChart dashboard={dashboard} currency={currency} />
      {hasSales && <ShareSections dashboard={dashboard} currency={currency} filters={filters} />}
    </>
  )
}

interface ChartsProps {
  readonly dashboard: Dashboard
  readonly currency: string
}

function SaleCharts({ dashboard, currency }: ChartsProps): JSX.Element {
  const series = seriesOf(dashboard, currency)
  const { times } = series
  return (
    <>
      <Section>
        <Chart
          title={`Captured, refunded and charged back, ${currency}`}
          kind="bars"
          times={times}
          series={[
            { label: 'Captured', values: series.captured },
            { label: 'Refunded', values: series.refunded, tone: 3 },
            { label: 'Charged back', values: series.chargedBack, tone: 5 },
          ]}
          format={compactNumber}
        />
      </Section>
      <Columns>
        <Section>
          <Chart
            title="Payments"
            times={times}
            series={[
              { label: 'Approved', values: series.approved, tone: 2 },
              { label: 'Declined', values: series.declined, tone: 5 },
              { label: 'Open', values: series.open, tone: 6 },
            ]}
          />
        </Section>
        <Section>
          <Chart
            title="Approval rate"
            times={times}
            series={[{ label: 'Approval rate', values: series.approvalRate, tone: 2 }]}
            format={percent}
          />
        </Section>
      </Columns>
    </>
  )
}

/** Money out, by itself: a payout is no sale. */
function OutChart({ dashboard, currency }: ChartsProps): JSX.Element | null {
  const series = outSeriesOf(dashboard, currency)
  if (series === null) return null
  const { times, paidOut, transferred } = series
  return (
    <Section>
      <Chart
        title={`${outTitle(series)}, ${currency}`}
        kind="bars"
        times={times}
        series={[
          ...(paidOut === null ? [] : [{ label: 'Paid out', values: paidOut, tone: 4 as const }]),
          ...(transferred === null ? [] : [{ label: 'Transferred', values: transferred, tone: 6 as const }]),
        ]}
        format={compactNumber}
      />
    </Section>
  )
}

function outTitle({ paidOut, transferred }: OutSeries): string {
  if (transferred === null) return 'Paid out'
  return paidOut === null ? 'Transferred' : 'Paid out and transferred'
}
