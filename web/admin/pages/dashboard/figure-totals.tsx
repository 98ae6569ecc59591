/** The figures of payments in total, before everything else on the dashboard. One currency at a time. */
import type { JSX } from 'preact'
import { Section } from '../../kit/page.tsx'
import { Empty, Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { moneyText } from '../../kit/values/money-text.ts'
import { mode } from '../../session/mode.ts'
import type { DashboardFilters } from './dashboard-filters.ts'
import { chosenCurrency, currenciesOf, type Dashboard, type Figures } from './figures.ts'

interface FigureTotalsProps {
  readonly dashboard: Dashboard
  readonly filters: DashboardFilters
}

export function FigureTotals({ dashboard, filters }: FigureTotalsProps): JSX.Element {
  const currencies = currenciesOf(dashboard)
  const currency = chosenCurrency(dashboard, filters.values.currency)
  const total = dashboard.totals.find((one) => one.currency === currency)
  if (currency === undefined)
    return (
      <Empty title={`No ${mode.value} payments in this period.`}>
        <p>Select a longer period, or switch between live and test.</p>
      </Empty>
    )
  return (
    <>
      {!dashboard.complete && <PartialNotice since={dashboard.countedFrom} />}
      {currencies.length > 1 && <Currencies currencies={currencies} chosen={currency} filters={filters} />}
      {total && <Totals total={total} />}
      <Kinds dashboard={dashboard} currency={currency} />
    </>
  )
}

/** Figures of a part must not be mistaken for the whole. */
const PartialNotice = ({ since }: { readonly since: string }): JSX.Element => (
  <Notice tone="warn">
    This period has too many payments to count. The figures below start at <DateTime at={since} />; choose a shorter
    time or one merchant for all of it.
  </Notice>
)

function Totals({ total }: { readonly total: Figures }): JSX.Element {
  const { currency, decimals } = total
  const rate = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
  const number = (value: number): string => new Intl.NumberFormat().format(value)
  const sum = (minor: string): string => moneyText({ minor, currency, decimals })
  return (
    <dl class="tiles">
      <Tile title="Payments" value={number(total.payments)} more={`${number(total.open)} open`} />
      <Tile
        title="Approval rate"
        value={total.approvalRate === null ? '—' : rate.format(total.approvalRate)}
        more={`${number(total.approved)} approved, ${number(total.declined)} declined`}
      />
      <Tile title="Captured" value={sum(total.capturedMinor)} more={`${sum(total.authorisedMinor)} authorised`} />
      <Tile title="Refunded" value={sum(total.refundedMinor)} more={`${sum(total.chargedBackMinor)} charged back`} />
    </dl>
  )
}

const kindTitles: Readonly<Record<string, string>> = {
  sale: 'Sales',
  debit: 'Debits',
  credit: 'Payouts',
  transfer: 'Transfers',
}

/** Money in and money out, shown once there is more than sales. */
function Kinds({
  dashboard,
  currency,
}: {
  readonly dashboard: Dashboard
  readonly currency: string
}): JSX.Element | null {
  const rows = dashboard.byKind.filter((row) => row.currency === currency)
  if (rows.every(({ kind }) => kind === 'sale')) return null
  const number = (value: number): string => new Intl.NumberFormat().format(value)
  return (
    <Section title="Money in, money out">
      <dl class="tiles">
        {rows.map((row) => (
          <Tile
            key={row.kind}
            title={kindTitles[row.kind] ?? row.kind}
            value={moneyText({ minor: row.amountMinor, currency, decimals: row.decimals })}
            more={`${number(row.approved)} approved, ${number(row.declined)} declined`}
          />
        ))}
      </dl>
    </Section>
  )
}

interface TileProps {
  readonly title: string
  readonly value: string
  readonly more?: string
}

const Tile = ({ title, value, more }: TileProps): JSX.Element => (
  <div class="section">
    <dt class="faint">{title}</dt>
    <dd class="tile-value">{value}</dd>
    {more !== undefined && <dd class="faint">{more}</dd>}
  </div>
)

interface CurrenciesProps {
  readonly currencies: readonly string[]
  readonly chosen: string
  readonly filters: DashboardFilters
}

const Currencies = ({ currencies, chosen, filters }: CurrenciesProps): JSX.Element => (
  <fieldset class="segments currencies">
    <legend class="unseen">Currency</legend>
    {currencies.map((one) => (
      <button key={one} type="button" aria-pressed={one === chosen} onClick={() => filters.set({ currency: one })}>
        {one}
      </button>
    ))}
  </fieldset>
)
