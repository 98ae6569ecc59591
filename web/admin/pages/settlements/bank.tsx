/** What an acquirer announced per payout, beside what the bank received. */
import type { JSX } from 'preact'
import { useMidChoices } from '../../api/mids.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { FilterBar } from '../../kit/form/filter-bar.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'

export function Bank(): JSX.Element {
  const mids = useMidChoices()
  // One MID at a time: without a choice it is the first, and the filter says so.
  const filters = useFilters(['midId', 'from', 'to'], { midId: mids.choices[0]?.value ?? '' })
  const { midId } = filters.values
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          { kind: 'choice', name: 'midId', label: 'MID', any: null, options: mids.choices },
          { kind: 'date', name: 'from', label: 'From' },
          { kind: 'date', name: 'to', label: 'To' },
        ]}
      />
      {midId === '' ? (
        <Empty title="No MIDs." />
      ) : (
        <PayoutTable midId={midId} from={filters.values.from} to={filters.values.to} />
      )}
    </>
  )
}

// biome-ignore format: a table is read in columns.
const states = {
  matches: { tone: 'good', text: 'Matches' },
  waiting: { tone: 'warn', text: 'Not received' },
  overdue: { tone: 'bad',  text: 'Overdue' },
  differs: { tone: 'bad',  text: 'Differs' },
} as const

interface PayoutTableProps {
  readonly midId: string
  readonly from: string
  readonly to: string
}

function PayoutTable({ midId, from, to }: PayoutTableProps): JSX.Element {
  const list = usePages(
    'GET /settlements/payouts',
    { query: { midId, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) } },
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
