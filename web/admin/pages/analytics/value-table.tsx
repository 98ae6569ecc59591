/** Payments by the values of an attribute; each figure leads to its payments. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { type Column, DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { kindText } from '../payments/filters.ts'
import { walletTitle } from '../payments/method.ts'
import {
  type Analytics,
  type AnalyticsFilters,
  type AnalyticsRow,
  countedAddress,
  dimensionNamed,
} from './counted-filter.ts'
import { changeText, rateText } from './rate-text.ts'

interface ValueTableProps {
  readonly analytics: Analytics
  readonly filters: AnalyticsFilters
}

export function ValueTable({ analytics, filters }: ValueTableProps): JSX.Element {
  const [by, title] = dimensionNamed(filters.values.by)
  return (
    <Section title={`By ${title}`}>
      {by === 'mid' && <p class="faint">Counts attempts: a cascade counts once at every MID it tried.</p>}
      {analytics.rows.length < analytics.rowsTotal && (
        <p class="faint">
          Top {countText(analytics.rows.length)} of {countText(analytics.rowsTotal)} by payments.
        </p>
      )}
      <DataTable
        caption={`Payments by ${title}`}
        list={pageOfRows(analytics.rows)}
        keyOf={({ value }) => value}
        columns={columnsOf(analytics, filters)}
        empty={<Empty title="No payments with this attribute." />}
      />
    </Section>
  )
}

function columnsOf({ from, to }: Analytics, filters: AnalyticsFilters): readonly Column<AnalyticsRow>[] {
  const [by, , title] = dimensionNamed(filters.values.by)
  const wish = { from, to, by, merchantId: filters.values.merchantId }
  const leads = may('payments.read') && (by !== 'mid' || may('mids.read'))
  const count = (value: string, outcome: 'approved' | 'declined' | '', number: number): JSX.Element | string => {
    const address = leads ? countedAddress(wish, value, outcome) : null
    return address === null ? countText(number) : <Link to={address}>{countText(number)}</Link>
  }
  return [
    {
      title,
      cell: (row) => <ValueButton row={row} filters={filters} />,
      sort: (row) => valueTitle(row, by),
    },
    { title: 'Payments', end: true, cell: (row) => count(row.value, '', row.payments), sort: (row) => row.payments },
    {
      title: 'Approved',
      end: true,
      cell: (row) => count(row.value, 'approved', row.approved),
      sort: (row) => row.approved,
    },
    {
      title: 'Declined',
      end: true,
      cell: (row) => count(row.value, 'declined', row.declined),
      sort: (row) => row.declined,
    },
    {
      title: 'Approval rate',
      end: true,
      cell: ({ approvalRate }) => rateText(approvalRate),
      sort: ({ approvalRate }) => approvalRate,
    },
    {
      title: 'Change',
      end: true,
      cell: ({ approvalRate, before }) => changeText(approvalRate, before.approvalRate) ?? '—',
      sort: ({ approvalRate, before }) =>
        approvalRate === null || before.approvalRate === null ? null : approvalRate - before.approvalRate,
    },
    {
      title: 'Before',
      end: true,
      minor: true,
      cell: ({ before }) => countText(before.payments),
      sort: ({ before }) => before.payments,
    },
    { title: 'Approved amount', end: true, cell: AmountsOf },
  ]
}

function ValueButton({
  row,
  filters,
}: {
  readonly row: AnalyticsRow
  readonly filters: AnalyticsFilters
}): JSX.Element {
  const title = valueTitle(row, filters.values.by)
  if (row.value === '') return <>{title}</>
  return (
    <button
      type="button"
      class="link"
      aria-pressed={filters.values.value === row.value}
      onClick={() => filters.set({ value: row.value })}
    >
      {title}
    </button>
  )
}

const AmountsOf = ({ amounts }: AnalyticsRow): JSX.Element => (
  <span class="fate upright">
    {amounts.length === 0 && '—'}
    {amounts.map(({ currency, decimals, approvedMinor }) => (
      <span key={`${currency} ${decimals}`}>{moneyText({ minor: approvedMinor, currency, decimals })}</span>
    ))}
  </span>
)

export function valueTitle({ value, name }: AnalyticsRow, by: string): string {
  if (value === '') return 'None'
  if (by === 'kind') return kindText(value)
  if (by === 'wallet') return walletTitle(value)
  if (by === 'network') return networkName(value)
  if (by === 'issuerCountry' && /^[A-Z]{2}$/.test(value))
    return new Intl.DisplayNames(undefined, { type: 'region' }).of(value) ?? value
  return name ?? value
}
