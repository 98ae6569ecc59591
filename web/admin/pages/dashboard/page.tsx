/** Dashboard: the volume of payments, what needs attention, whether money adds up, and the figures by time and attribute. Chapter 50 §8. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { DataAge } from '../../kit/data-age.tsx'
import { DateRange } from '../../kit/form/date-range.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { dayOf, endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { mode } from '../../session/mode.ts'
import { FigureCharts } from './figure-charts.tsx'
import { FigureTotals } from './figure-totals.tsx'
import { MoneyLights } from './money-lights.tsx'
import { Risks } from './risks.tsx'

/** Fresh enough for an overview, rare enough to cost little. */
const everyMs = 60_000

export function DashboardPage(): JSX.Element {
  const filters = useFilters(['merchantId', 'from', 'to', 'currency'])
  const merchants = useMerchants()
  const { merchantId, from, to } = filters.values
  const range = {
    merchantId: merchantId || undefined,
    from: startOfDay(from),
    to: endOfDay(to),
    test: mode.value === 'test' ? ('true' as const) : ('false' as const),
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const figures = useReading('GET /dashboard', { query: { ...range, zone: timeZone }, everyMs })
  const money = useReading('GET /dashboard/money', { query: { ...range, zone: timeZone }, everyMs })
  const risks = useReading('GET /dashboard/risks', { query: { merchantId: range.merchantId }, everyMs })
  const now = risks.value?.now
  return (
    <Page title="Dashboard">
      <div class="dashboard-filters">
        <FilterBar
          filters={{ ...filters, count: 0 }}
          fields={[
            { kind: 'choice', name: 'merchantId', label: 'Merchant', options: merchants.choices, any: 'All merchants' },
          ]}
        />
        {now !== undefined && (
          <DateRange
            from={from || dayShown(figures.value?.from)}
            to={to || dayShown(figures.value?.to)}
            today={dayOf(new Date(now))}
            onChange={(range) => filters.set({ from: range.from, to: range.to })}
          />
        )}
      </div>
      <DataAge />
      <ReadResult read={figures} lines={4}>
        {(value) => <FigureTotals dashboard={value} filters={filters} />}
      </ReadResult>
      <ReadResult read={risks} lines={3}>
        {(value) => <Risks risks={value} merchantId={merchantId} />}
      </ReadResult>
      <ReadResult read={money} lines={3}>
        {(value) => <MoneyLights checks={value} />}
      </ReadResult>
      {figures.value && <FigureCharts dashboard={figures.value} filters={filters} />}
    </Page>
  )
}

/** If no days were chosen, shows which days the figures cover. */
const dayShown = (instant: string | undefined): string => (instant === undefined ? '' : dayOf(new Date(instant)))
