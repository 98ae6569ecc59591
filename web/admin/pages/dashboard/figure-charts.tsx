/** The figures of payments over time and by attribute. One currency at a time. */
import type { JSX } from 'preact'
import { Columns, Section } from '../../kit/page.tsx'
import { Chart } from '../../kit/values/chart.tsx'
import type { DashboardFilters } from './dashboard-filters.ts'
import { chosenCurrency, type Dashboard, seriesOf } from './figures.ts'
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
  // A currency with payouts alone has no figures of sales.
  if (currency === undefined || dashboard.totals.every((total) => total.currency !== currency)) return null
  const series = seriesOf(dashboard, currency)
  const { times } = series
  return (
    <>
      <Section>
        <Chart
          title={`Captured and refunded, ${currency}`}
          kind="bars"
          times={times}
          series={[
            { label: 'Captured', values: series.captured },
            { label: 'Refunded', values: series.refunded, tone: 3 },
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
      <ShareSections dashboard={dashboard} currency={currency} filters={filters} />
    </>
  )
}
