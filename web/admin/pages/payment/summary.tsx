/** The summary of a payment. */
import type { JSX } from 'preact'
import { useMerchants } from '../../api/merchants.ts'
import { Badge, Status } from '../../kit/badge.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Section } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { dateText } from '../../kit/values/instants.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { methodText } from '../payments/method.ts'
import type { Details, Payment } from './details.ts'

export function Summary({ details: { payment, chargeback } }: { readonly details: Details }): JSX.Element {
  const merchants = useMerchants()
  const money = (minor: string): JSX.Element => (
    <Money minor={minor} currency={payment.currency} decimals={payment.amountDecimals} />
  )
  const isMoved = (minor: string): boolean => minor !== '0'
  return (
    <Section>
      <KeyValues
        rows={[
          ['Status', <Fate payment={payment} />],
          ['Amount', money(payment.amountMinor)],
          isMoved(payment.authorisedMinor) && ['Authorised', money(payment.authorisedMinor)],
          isMoved(payment.capturedMinor) && ['Captured', money(payment.capturedMinor)],
          isMoved(payment.refundedMinor) && ['Refunded', money(payment.refundedMinor)],
          isMoved(payment.chargedBackMinor) && ['Charged back', money(payment.chargedBackMinor)],
          ['Transaction id', <Copyable text={payment.id} label="Copy the transaction id" />],
          ['Merchant', <Link to={`/merchants/${payment.merchantId}`}>{merchants.title(payment.merchantId)}</Link>],
          ['MID', <MidOf payment={payment} />],
          ['Payment method', methodText(payment)],
          ['Created', <DateTime at={payment.createdAt} seconds />],
          ['Last change', <DateTime at={payment.updatedAt} seconds />],
          payment.declineReason !== null && [
            'Declined',
            `${payment.declineReason} (${payment.declineClass ?? 'unknown'})`,
          ],
          chargeback !== null && ['Chargeback', `${chargeback.reasonCode}, bank date ${dateText(chargeback.bankDate)}`],
        ]}
      />
    </Section>
  )
}

const Fate = ({ payment: { status, test } }: { readonly payment: Payment }): JSX.Element => (
  <span class="badges">
    <Status of={status} />
    {test && <Badge tone="warn">test</Badge>}
  </span>
)

function MidOf({ payment: { midId, midName } }: { readonly payment: Pick<Payment, 'midId' | 'midName'> }): JSX.Element {
  if (midId === null) return <span class="faint">none</span>
  return may('mids.read') ? <Link to={`/mids/${midId}`}>{midName ?? midId}</Link> : <span>{midName ?? midId}</span>
}
