/** The coming charges of active plans by month: number and amount per day, and the charges of the selected day. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Section } from '../../kit/page.tsx'
import { Empty, Notice, ReadResult } from '../../kit/states.tsx'
import { Money } from '../../kit/values/money.tsx'
import {
  dayText,
  firstDay,
  lastDay,
  type Month,
  monthOf,
  monthText,
  neighbour,
  weekdayNames,
  weeksOf,
} from './month.ts'
import { sumsOf } from './sums.ts'

type ComingDay = Answer<'GET /calendar'>['days'][number]
type Charge = ComingDay['charges'][number]

export function Calendar({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const filters = useFilters(['month', 'day'])
  const query = merchantId === '' ? {} : { merchantId }
  // The day comes from the service: the clock of a sandbox may be years ahead.
  const clock = useReading('GET /calendar', { query: { ...query } })
  const month = filters.values.month || (clock.value ? monthOf(clock.value.today) : '')
  const read = useReading('GET /calendar', {
    query: month === '' ? query : { ...query, from: firstDay(month), to: lastDay(month) },
    when: month !== '',
  })
  return (
    <Section
      title={month === '' ? 'Upcoming charges' : monthText(month)}
      actions={
        month !== '' && (
          <>
            <Button onClick={() => filters.set({ month: neighbour(month, -1), day: '' })}>Previous month</Button>
            <Button onClick={() => filters.set({ month: neighbour(month, 1), day: '' })}>Next month</Button>
          </>
        )
      }
    >
      <ReadResult read={month === '' ? clock : read} lines={8}>
        {({ days, complete, today }) => (
          <>
            {!complete && <Notice tone="warn">Too many plans to show. Select a merchant.</Notice>}
            <MonthGrid
              month={month}
              days={days}
              today={today}
              chosen={filters.values.day}
              onChoose={(day) => filters.set({ day })}
            />
            {days.length === 0 && (
              <Empty title="No charges this month.">
                <p>A payment with a schedule starts a plan. Its dates appear here.</p>
              </Empty>
            )}
            {filters.values.day !== '' && (
              <DayCharges day={days.find(({ date }) => date === filters.values.day)} date={filters.values.day} />
            )}
          </>
        )}
      </ReadResult>
    </Section>
  )
}

interface MonthGridProps {
  readonly month: Month
  readonly days: readonly ComingDay[]
  readonly today: string
  readonly chosen: string
  readonly onChoose: (day: string) => void
}

function MonthGrid({ month, days, today, chosen, onChoose }: MonthGridProps): JSX.Element {
  const byDate = new Map(days.map((day) => [day.date, day.charges]))
  return (
    <table class="calendar">
      <caption class="unseen">Coming charges in {monthText(month)}</caption>
      <thead>
        <tr>
          {weekdayNames().map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map(({ begins, days: dates }) => (
          <tr key={begins}>
            {dates.map((date, index) =>
              date === null ? (
                <td key={`${begins}-${index}`} class="outside" />
              ) : (
                <td
                  key={date}
                  class={date === today ? 'today' : undefined}
                  aria-current={date === today ? 'date' : undefined}
                >
                  <span class="day-number">{Number(date.slice(8))}</span>
                  <DayButton
                    date={date}
                    charges={byDate.get(date) ?? []}
                    isChosen={date === chosen}
                    onChoose={onChoose}
                  />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayButtonProps {
  readonly date: string
  readonly charges: readonly Charge[]
  readonly isChosen: boolean
  readonly onChoose: (day: string) => void
}

function DayButton({ date, charges, isChosen, onChoose }: DayButtonProps): JSX.Element | null {
  if (charges.length === 0) return null
  return (
    <button type="button" class="day-charges" aria-pressed={isChosen} onClick={() => onChoose(isChosen ? '' : date)}>
      <span class="day-count">
        {charges.length} <span class="day-word">{charges.length === 1 ? 'charge' : 'charges'}</span>
      </span>
      <span class="unseen">on {dayText(date)}</span>
      {sumsOf(charges).map(({ currency, minor, decimals }) => (
        <span key={currency} class="day-sum">
          <Money minor={minor} currency={currency} decimals={decimals} />
        </span>
      ))}
    </button>
  )
}

function DayCharges({ day, date }: { readonly day: ComingDay | undefined; readonly date: string }): JSX.Element {
  const { title } = useMerchants()
  const columns: readonly Column<Charge>[] = [
    { title: 'Merchant', cell: ({ merchantId }) => title(merchantId) },
    { title: 'Schedule', cell: ({ schedule }) => schedule },
    { title: 'Plan', cell: ({ subscriptionId }) => <span class="mono">{subscriptionId}</span>, minor: true },
    {
      title: 'Amount',
      cell: ({ amountMinor, amountDecimals, currency }) => (
        <Money minor={amountMinor} currency={currency} decimals={amountDecimals} />
      ),
      end: true,
    },
  ]
  const list = pageOfRows(day?.charges ?? [])
  return (
    <>
      <h3>{dayText(date)}</h3>
      <DataTable
        caption={`Charges of ${dayText(date)}`}
        list={list}
        columns={columns}
        keyOf={({ subscriptionId }) => subscriptionId}
        empty={<Empty title="No charges on this day." />}
      />
    </>
  )
}
