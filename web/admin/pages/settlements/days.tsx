/** Our transactions beside the acquirer's rows and the bank's bookings, per day and currency of one MID. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { Day } from '../../kit/values/date-time.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { MidPeriod, type MidPeriodValues, periodQuery } from './mid-period.tsx'

export const Days = (): JSX.Element => <MidPeriod>{(values) => <DayTable {...values} />}</MidPeriod>

function DayTable(values: MidPeriodValues): JSX.Element {
  // Without a period the server chooses the last days, by its own clock.
  const list = usePages(
    'GET /settlements/days',
    { query: periodQuery(values) },
    { rows: ({ days }) => days, next: ({ next }) => next },
  )
  const number = new Intl.NumberFormat()
  return (
    <DataTable
      caption="Days"
      list={list}
      keyOf={({ day, currency }) => `${day} ${currency}`}
      columns={[
        { title: 'Day', cell: ({ day }) => <Day of={day} />, whole: true },
        {
          title: 'Ours',
          end: true,
          cell: ({ oursMinor, currency, decimals }) => (
            <Money minor={oursMinor} currency={currency} decimals={decimals} />
          ),
        },
        {
          title: 'Acquirer’s',
          end: true,
          cell: ({ grossMinor, currency, decimals }) => (
            <Money minor={grossMinor} currency={currency} decimals={decimals} />
          ),
        },
        {
          title: 'Fees',
          end: true,
          wide: true,
          cell: ({ feeMinor, currency, decimals }) => (
            <Money minor={feeMinor} currency={currency} decimals={decimals} />
          ),
        },
        {
          title: 'Paid',
          end: true,
          cell: ({ netMinor, currency, decimals }) => (
            <Money minor={netMinor} currency={currency} decimals={decimals} />
          ),
        },
        {
          title: 'Matched',
          end: true,
          cell: ({ matched, ours }) => `${number.format(matched)} of ${number.format(ours)}`,
        },
        {
          title: 'Bank',
          end: true,
          cell: ({ bankMinor, currency, decimals }) => (
            <Money minor={bankMinor} currency={currency} decimals={decimals} />
          ),
        },
        { title: 'Outstanding', end: true, cell: (one) => <Outstanding midId={values.midId} of={one} /> },
        {
          title: 'Differences',
          end: true,
          cell: ({ day, theirs, openDifferences, bankDifferences }) => {
            const count = openDifferences + bankDifferences
            // Nothing was compared: a green zero would say that everything agrees.
            if (count === 0 && theirs === 0) return <span class="faint">No rows of the acquirer</span>
            const badge = <Badge tone={count === 0 ? 'good' : 'bad'}>{number.format(count)}</Badge>
            // Differences of a payout are on the day of the payout, which may be another.
            const place = bankDifferences > 0 ? '' : `&day=${day}`
            return count === 0 ? badge : <Link to={`/settlements?midId=${values.midId}${place}`}>{badge}</Link>
          },
        },
      ]}
      empty={
        <Empty title="No transactions in this period.">
          <p>Select another MID or a longer period.</p>
        </Empty>
      }
    />
  )
}

type ReconciledDay = Answer<'GET /settlements/days'>['days'][number]

/** What the bank has not booked yet, with the payouts behind it. */
function Outstanding({ midId, of }: { readonly midId: string; readonly of: ReconciledDay }): JSX.Element | null {
  const { outstandingMinor, outstandingSince: since, currency, decimals, overdue } = of
  if (since === null) return null
  return (
    <>
      <Money minor={outstandingMinor} currency={currency} decimals={decimals} />{' '}
      <Link to={`/settlements?tab=bank&midId=${midId}&from=${since}&to=${since}`}>
        <Badge tone={overdue ? 'bad' : 'warn'}>
          since <Day of={since} />
        </Badge>
      </Link>
    </>
  )
}
