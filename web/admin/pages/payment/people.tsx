/** The order, the payer and the recipient, and what else the merchant sent. */
import type { JSX } from 'preact'
import { Copyable } from '../../kit/copy-button.tsx'
import { JsonView } from '../../kit/json-view.tsx'
import { KeyValues } from '../../kit/key-values.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { Link } from '../../router/link.tsx'
import { type Details, pathOf } from './details.ts'
import { Pairs } from './pairs.tsx'

export function People({ details: { payment } }: { readonly details: Details }): JSX.Element {
  const { merchantId, recurringFirst, subscriptionId } = payment
  return (
    <>
      <Section title="Order">
        <KeyValues
          rows={[
            ['Order', <Copyable text={payment.orderId} label="Copy the order" />],
            ['Description', payment.orderDescription],
            ['Protocol', payment.protocol],
            ['Action', payment.action],
            ['Kind', payment.kind],
            ['Financial day', payment.financialDay],
            ['Channel', payment.channel],
            ['Language', payment.language],
            ['Callback address', payment.callbackUrl],
            recurringFirst !== null && [
              'First of its chain',
              <Link to={pathOf({ merchantId, id: recurringFirst })}>{recurringFirst}</Link>,
            ],
            subscriptionId !== null && [
              'Subscription',
              <Link to={`/schedules?tab=subscriptions&merchantId=${merchantId}`}>{subscriptionId}</Link>,
            ],
            payment.planDate !== null && ['Planned for', payment.planDate],
            payment.sessionId !== null && ['Checkout session', <code>{payment.sessionId}</code>],
          ]}
        />
      </Section>
      <Section title="Payer">
        <KeyValues
          rows={[
            ['Address on the network', payment.payerIp],
            ...Object.entries(payment.payer).map(([name, value]) => [name, value] as const),
          ]}
        />
      </Section>
      {Object.keys(payment.payee).length > 0 && (
        <Section title="Recipient">
          <Pairs of={payment.payee} />
        </Section>
      )}
      <Section title="Custom data">
        {payment.customData === null ? (
          <Empty title="The merchant sent none." />
        ) : (
          <JsonView label="Custom data" value={payment.customData} />
        )}
      </Section>
    </>
  )
}
