/** The money invariants: green if the money adds up, red with every payment in which it does not. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Section } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { dateText } from '../../kit/values/instants.ts'
import { moneyText } from '../../kit/values/money-text.ts'
import { Link } from '../../router/link.tsx'
import { differenceTexts } from '../settlements/settlement.ts'

type Checks = Answer<'GET /dashboard/money'>
type Check = Checks['checks'][number]

const number = (value: number): string => new Intl.NumberFormat().format(value)

export function MoneyLights({ checks }: { readonly checks: Checks }): JSX.Element {
  return (
    <Section title="Balance checks" actions={<Result checks={checks} />}>
      <ul class="lights">
        {checks.checks.map((check) => (
          <Light key={check.name} check={check} />
        ))}
      </ul>
      {!checks.complete && (
        <p class="faint">Only the newest payments of this period were checked: {number(checks.checkedPayments)}.</p>
      )}
    </Section>
  )
}

function Result({ checks: { ok, checks } }: { readonly checks: Checks }): JSX.Element {
  if (ok) return <Badge tone="good">All passed</Badge>
  const hasFailed = checks.some((check) => !check.ok && check.failure === null)
  return hasFailed ? <Badge tone="bad">Failed</Badge> : <Badge tone="warn">Not all compared</Badge>
}

function Light({ check }: { readonly check: Check }): JSX.Element {
  const { title, ok, against, asOf, checked, offending, gaps, gapCount, failure } = check
  return (
    <li class={ok ? 'light good' : failure === null ? 'light bad' : 'light warn'}>
      <span class="light-sign" aria-hidden="true" />
      <div>
        <p class="light-title">
          {title} <span class="unseen">{ok ? ': passed' : failure === null ? ': failed' : ': not compared'}</span>
        </p>
        {failure === null ? (
          <p class="faint">
            {number(checked)} checked: {against}
            {asOf !== null && (
              <>
                , as of <DateTime at={asOf} />
              </>
            )}
          </p>
        ) : (
          <p>
            {failure}
            {asOf !== null && (
              <>
                {' '}
                Last compared <DateTime at={asOf} />.
              </>
            )}
          </p>
        )}
        {gapCount > 0 && (
          <p>
            MIDs in use without a recent record: {number(gapCount)}. {gaps.map(gapText).join(', ')}
            {gapCount > gaps.length && ' and others'}. Import their settlement files.
          </p>
        )}
        {offending.length > 0 && (
          <ul class="offending">
            {offending.map((fault) => {
              const { merchantId, paymentId } = fault
              return (
                <li key={`${paymentId} ${fault.text}`}>
                  {merchantId === null ? (
                    paymentId
                  ) : paymentId === null ? (
                    <Link to={`/merchants/${merchantId}`}>Merchant</Link>
                  ) : (
                    <Link to={`/merchants/${merchantId}/payments/${paymentId}?tab=ledger`}>{paymentId}</Link>
                  )}
                  : {faultText(fault)}
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </li>
  )
}

const gapText = ({ midName, at }: Check['gaps'][number]): string =>
  `${midName} (${at === null ? 'none' : dateText(at.slice(0, 10))})`

function faultText({ text, difference, statements }: Check['offending'][number]): string {
  if (difference !== null) return `${differenceTexts[difference.kind] ?? difference.kind}, ${dateText(difference.day)}`
  if (statements === null) return text
  const { currency, lastDay, statementsMinor, ledgerMinor } = statements
  const amount = (minor: string): string => moneyText({ minor, currency })
  return `Until ${dateText(lastDay)}: statements ${amount(statementsMinor)}, ledger ${amount(ledgerMinor)}`
}
