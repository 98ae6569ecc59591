/** Payments by attribute, each linked to its list where the filters allow it. */
import type { JSX } from 'preact'
import { networkName } from '#domain/network-names.ts'
import { Section } from '../../kit/page.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { type Share, ShareBars } from '../../kit/values/share-bars.tsx'
import { may } from '../../session/session.ts'
import { walletTitle } from '../payments/method.ts'
import { countedPayments } from './counted-payments.ts'
import type { DashboardFilters } from './dashboard-filters.ts'
import { type Dashboard, inCurrency, largestFirst } from './figures.ts'

interface ShareSectionsProps {
  readonly dashboard: Dashboard
  readonly currency: string
  readonly filters: DashboardFilters
}

type NamedFigures = Dashboard['byNetwork'][number]

export function ShareSections({ dashboard, currency, filters }: ShareSectionsProps): JSX.Element {
  const linkFound = (query: Readonly<Record<string, string>>): string =>
    countedPayments(dashboard, { merchantId: filters.values.merchantId, currency, ...query })
  const shares = <Row extends NamedFigures>(
    rows: readonly Row[],
    nameOf: (row: Row) => string,
    to?: (row: Row) => string | undefined,
  ) =>
    largestFirst(inCurrency(rows, currency)).map(
      (row): Share => ({
        label: nameOf(row),
        value: row.payments,
        text: rateText(row),
        to: row.name === null ? undefined : to?.(row),
      }),
    )
  const { namesTotal } = dashboard
  const byMid = shares(
    dashboard.byMid,
    ({ midName, name }) => midName ?? name ?? 'None',
    may('mids.read') ? ({ name }) => linkFound({ midId: name ?? '' }) : undefined,
  )
  const byWallet = shares(
    dashboard.byWallet,
    ({ name }) => (name === null ? 'No wallet' : walletTitle(name)),
    ({ name }) => linkFound({ wallet: name ?? '', attempts: 'last' }),
  )
  const byNetwork = shares(
    dashboard.byNetwork,
    ({ name }) => (name === null ? 'No card' : networkName(name)),
    ({ name }) => linkFound({ network: name ?? '', attempts: 'last' }),
  )
  const byCountry = shares(
    dashboard.byCountry,
    ({ name }) => countryText(name),
    ({ name }) => (isCountryCode(name) ? linkFound({ country: name, attempts: 'last' }) : undefined),
  )
  const reasons = largestFirst(inCurrency(dashboard.byDeclineReason, currency)).map(
    ({ name, payments }): Share => ({
      label: name ?? 'No reason given',
      value: payments,
      to: name === null ? undefined : linkFound({ status: 'DECLINED', declineReason: name, attempts: 'last' }),
    }),
  )
  return (
    <div class="share-sections">
      <Shares
        title="By MID"
        shares={byMid}
        cut={cutText(dashboard.byMid, namesTotal.byMid)}
        note="Counts attempts: a cascade counts once at every MID it tried. Rates differ from those on a MID’s page, which cover the last hour."
      />
      <Shares title="By card network" shares={byNetwork} cut={cutText(dashboard.byNetwork, namesTotal.byNetwork)} />
      <Shares title="By wallet" shares={byWallet} cut={cutText(dashboard.byWallet, namesTotal.byWallet)} />
      <Shares title="By country" shares={byCountry} cut={cutText(dashboard.byCountry, namesTotal.byCountry)} />
      {reasons.length > 0 && (
        <Section title="Decline reasons">
          <Cut text={cutText(dashboard.byDeclineReason, namesTotal.byDeclineReason)} />
          <ShareBars label="Decline reasons" shares={reasons} />
        </Section>
      )}
    </div>
  )
}

/** Null if the list has all names. The server ranks by all currencies; the list shows one of them. */
function cutText(rows: readonly { readonly name: string | null }[], total: number): string | null {
  const listed = new Set(rows.map(({ name }) => name)).size
  if (listed >= total) return null
  return `Shows the top ${countText(listed)} of ${countText(total)}, ranked over all currencies.`
}

const Cut = ({ text }: { readonly text: string | null }): JSX.Element | null =>
  text === null ? null : <p class="faint">{text}</p>

interface SharesProps {
  readonly title: string
  readonly shares: readonly Share[]
  /** What is counted, if it is not payments. */
  readonly note?: string
  readonly cut: string | null
}

const Shares = ({ title, shares, note, cut }: SharesProps): JSX.Element => (
  <Section title={title}>
    <Cut text={cut} />
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

const isCountryCode = (name: string | null): name is string => /^[A-Z]{2}$/.test(name ?? '')

function countryText(code: string | null): string {
  if (code === null) return 'Unknown'
  return isCountryCode(code) ? (new Intl.DisplayNames(undefined, { type: 'region' }).of(code) ?? code) : code
}
