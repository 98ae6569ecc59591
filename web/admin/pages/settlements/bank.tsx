/** What an acquirer announced per payout, beside what the bank received. */
import type { JSX } from 'preact'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { MidPeriod, type MidPeriodValues, periodQuery } from './mid-period.tsx'

export const Bank = (): JSX.Element => <MidPeriod>{(values) => <PayoutTable {...values} />}</MidPeriod>

// biome-ignore format: a table is read in columns.
const states = {
  matches: { tone: 'good', text: 'Matches' },
  waiting: { tone: 'warn', text: 'Not received' },
  overdue: { tone: 'bad',  text: 'Overdue' },
  differs: { tone: 'bad',  text: 'Differs' },
} as const

function PayoutTable(values: MidPeriodValues): JSX.Element {
  const list = usePages(
    'GET /settlements/payouts',
    { query: periodQuery(values) },
    { rows: ({ payouts }) => payouts, next: () => null },
  )
  return (
    <DataTable
      caption="Payouts of the acquirer"
      list={list}
      keyOf={({ payout, currency }) => `${payout} ${currency}`}
      columns={[
        { title: 'Payout', cell: ({ payout }) => payout },
        { title: 'Last day', cell: ({ lastDay }) => <Day of={lastDay} />, minor: true },
        {
          title: 'Announced',
          end: true,
          cell: ({ netMinor, currency, decimals }) => (
            <Money minor={netMinor} currency={currency} decimals={decimals} />
          ),
        },
        {
          title: 'Bank',
          end: true,
          cell: ({ bankMinor, currency, decimals }) => (
            <Money minor={bankMinor} currency={currency} decimals={decimals} />
          ),
        },
        { title: 'Booked', cell: ({ bookedOn }) => <Day of={bookedOn} />, minor: true },
        {
          title: 'Result',
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].text}</Badge>,
        },
      ]}
      empty={
        <Empty title="No payouts in this period.">
          <p>Settlement files with payout references appear here. Import bank statements to compare them.</p>
        </Empty>
      }
    />
  )
}
