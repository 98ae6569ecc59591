/** What needs attention: callbacks, unknown outcomes, certificates and domains. Each links to its list. */
import type { ComponentChildren, JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Badge } from '../../kit/badge.tsx'
import { Section } from '../../kit/page.tsx'
import type { Tone } from '../../kit/states.tsx'
import { Distance } from '../../kit/values/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { walletTitle } from '../payments/method.ts'

type AtRisk = Answer<'GET /dashboard/risks'>

interface RisksProps {
  readonly risks: AtRisk
  /** The merchant of the filter; empty for all. */
  readonly merchantId: string
}

export function Risks({ risks, merchantId }: RisksProps): JSX.Element {
  const { callbacks, unknownOutcomes, certificates, domains } = risks
  const list = (query: Readonly<Record<string, string>>): string =>
    `/callbacks?${new URLSearchParams({ ...query, ...(merchantId === '' ? {} : { merchantId }) })}`
  return (
    <Section title="Needs attention">
      <ul class="risks">
        <Risk count={callbacks.failed} tone="bad">
          <Link to={list({ state: 'failed' })}>Failed callbacks</Link>
        </Risk>
        <Risk count={callbacks.late} tone="warn">
          <Link to={list({ state: 'due' })}>Late callbacks</Link>
          <span class="faint"> of {callbacks.waiting} waiting</span>
        </Risk>
        <Risk count={unknownOutcomes.count} tone="bad">
          <Link to={merchantId === '' ? '/unresolved' : `/unresolved?merchantId=${merchantId}`}>Unknown outcomes</Link>
          <Outcomes risks={risks} />
        </Risk>
        <Risk count={certificates.length} tone="warn">
          Expiring certificates
          <Certificates certificates={certificates} />
        </Risk>
        <Risk count={domains.length} tone="warn">
          Failing domains
          <Domains domains={domains} />
        </Risk>
      </ul>
    </Section>
  )
}

interface RiskProps {
  readonly count: number
  /** Used if there are any. */
  readonly tone: Tone
  readonly children: ComponentChildren
}

const Risk = ({ count, tone, children }: RiskProps): JSX.Element => (
  <li>
    <Badge tone={count === 0 ? 'good' : tone}>{new Intl.NumberFormat().format(count)}</Badge>
    <div>{children}</div>
  </li>
)

const shownAtMost = 5

function Outcomes({ risks: { unknownOutcomes, now } }: { readonly risks: AtRisk }): JSX.Element {
  return (
    <ul class="offending">
      {unknownOutcomes.oldest.slice(0, shownAtMost).map(({ merchantId, paymentId, type, since }) => (
        <li key={`${paymentId} ${since}`}>
          <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>{type}</Link> <Distance at={since} now={now} />
        </li>
      ))}
    </ul>
  )
}

function Certificates({ certificates }: Pick<AtRisk, 'certificates'>): JSX.Element {
  const merchants = useMerchants()
  return (
    <ul class="offending">
      {certificates.slice(0, shownAtMost).map(({ merchantId, mode, wallet, fingerprint, daysLeft }) => (
        <li key={fingerprint}>
          <Link to={`/merchants/${merchantId}?tab=wallets`}>{merchants.title(merchantId)}</Link>, {walletTitle(wallet)}{' '}
          {mode}: {daysText(daysLeft)}
        </li>
      ))}
    </ul>
  )
}

function daysText(days: number): string {
  if (days < 0) return 'expired'
  return days === 1 ? '1 day left' : `${days} days left`
}

function Domains({ domains }: Pick<AtRisk, 'domains'>): JSX.Element {
  return (
    <ul class="offending">
      {domains.slice(0, shownAtMost).map(({ merchantId, domain, state, lastFault }) => (
        <li key={`${merchantId} ${domain}`}>
          <Link to={`/merchants/${merchantId}?tab=wallets`}>{domain}</Link> is {state}
          {lastFault !== null && `: ${lastFault}`}
        </li>
      ))}
    </ul>
  )
}
