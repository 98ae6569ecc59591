/** Payments by attribute, each linked to its list where the filters allow it. */
import type { JSX } from 'preact'
import { Columns, Section } from '../../kit/page.tsx'
import { type Share, ShareBars } from '../../kit/values/share-bars.tsx'
import { may } from '../../session/session.ts'
import { walletTitle } from '../payments/method.ts'
import type { DashboardFilters } from './dashboard-filters.ts'
import { type Dashboard, inCurrency } from './figures.ts'

interface ShareSectionsProps {
  readonly dashboard: Dashboard
  readonly currency: string
  readonly filters: DashboardFilters
}

type NamedFigures = Dashboard['byNetwork'][number]

export function ShareSections({ dashboard, currency, filters }: ShareSectionsProps): JSX.Element {
  const { merchantId, from, to } = filters.values
  const found = (query: Readonly<Record<string, string>>): string => {
    const set = Object.entries({ merchantId, from, to, currency, ...query }).filter(([, value]) => value !== '')
    return `/payments?${new URLSearchParams(set)}`
  }
  const shares = <Row extends NamedFigures>(
    rows: readonly Row[],
    nameOf: (row: Row) => string,
    to?: (row: Row) => string,
  ) =>
    inCurrency(rows, currency).map(
      (row): Share => ({
        label: nameOf(row),
        value: row.payments,
        text: rateText(row),
        to: row.name === null ? undefined : to?.(row),
      }),
    )
  const byMid = shares(
    dashboard.byMid,
    ({ midName, name }) => midName ?? name ?? 'None',
    may('mids.read') ? ({ name }) => found({ midId: name ?? '' }) : undefined,
  )
  const byWallet = shares(
    dashboard.byWallet,
    ({ name }) => (name === null ? 'No wallet' : walletTitle(name)),
    ({ name }) => found({ wallet: name ?? '' }),
  )
  const reasons = inCurrency(dashboard.byDeclineReason, currency).map(
    ({ name, payments }): Share => ({
      label: name ?? 'No reason given',
      value: payments,
      to: found({ status: 'DECLINED' }),
    }),
  )
  return (
    <Columns>
      <Shares
        title="By MID"
        shares={byMid}
        note="Counts attempts: a cascade counts once at every MID it tried. Rates differ from those on a MID’s page, which cover the last hour."
      />
      <Shares title="By card network" shares={shares(dashboard.byNetwork, ({ name }) => name ?? 'No card')} />
      <Shares title="By wallet" shares={byWallet} />
      <Shares title="By country" shares={shares(dashboard.byCountry, ({ name }) => countryText(name))} />
      {reasons.length > 0 && (
        <Section title="Decline reasons">
          <ShareBars label="Decline reasons" shares={reasons} />
        </Section>
      )}
    </Columns>
  )
}

interface SharesProps {
  readonly title: string
  readonly shares: readonly Share[]
  /** What is counted, if it is not payments. */
  readonly note?: string
}

const Shares = ({ title, shares, note }: SharesProps): JSX.Element => (
  <Section title={title}>
    {note !== undefined && <p class="faint">{note}</p>}
    <ShareBars label={title} shares={shares} percent={false} />
  </Section>
)

function rateText({ payments, approvalRate }: NamedFigures): string {
  const number = new Intl.NumberFormat().format(payments)
  if (approvalRate === null) return number
  const rate = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 }).format(approvalRate)
  return `${number}, ${rate} approved`
}

function countryText(code: string | null): string {
  if (code === null) return 'Unknown'
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(undefined, { type: 'region' }).of(code) ?? code) : code
}
