/** The order, the payer, the recipient, and other data from the merchant. */
import type { JSX } from 'preact'
import { ButtonLink } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty, Notice } from '../../kit/states.tsx'
import { DateTime, Day } from '../../kit/values/date-time.tsx'
import { JsonView } from '../../kit/values/json-view.tsx'
import { type KeyValue, KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { kindText } from '../payments/filters.ts'
import { type Details, pathOf } from './details.ts'
import { ErasePayer } from './erase-payer.tsx'
import { Pairs } from './pairs.tsx'

interface PeopleProps {
  readonly details: Details
  readonly onChanged: () => void
}

export function People({ details: { payment, erasedAt }, onChanged }: PeopleProps): JSX.Element {
  const { merchantId, recurringFirst, subscriptionId } = payment
  const email = payment.payer['email'] ?? undefined
  return (
    <>
      <Section title="Order">
        <KeyValues
          rows={[
            ['Order', <Copyable text={payment.orderId} label="Copy the order" />],
            ['Description', payment.orderDescription],
            ['Protocol', payment.protocol],
            ['Action', payment.action],
            ['Kind', kindText(payment.kind)],
            ['Financial day', <Day of={payment.financialDay} />],
            ['Channel', payment.channel],
            ['Language', payment.language],
            ['Callback address', payment.callbackUrl],
            recurringFirst !== null && [
              'First payment of the chain',
              <Link to={pathOf({ merchantId, id: recurringFirst })}>{recurringFirst}</Link>,
            ],
            subscriptionId !== null && [
              'Plan',
              <Link to={`/schedules?tab=subscriptions&merchantId=${merchantId}`}>{subscriptionId}</Link>,
            ],
            payment.planDate !== null && ['Scheduled for', <Day of={payment.planDate} />],
            payment.sessionId !== null && ['Checkout session', <code>{payment.sessionId}</code>],
          ]}
        />
      </Section>
      <Section
        title="Payer"
        actions={
          <>
            <ButtonLink small to={`${pathOf(payment)}/payer`}>
              All payments of this payer
            </ButtonLink>
            {email !== undefined && <ErasePayer payer={{ merchantId, email }} onDone={onChanged} />}
          </>
        }
      >
        {erasedAt !== null && (
          <Notice>
            Payer data erased on <DateTime at={erasedAt} />
          </Notice>
        )}
        <KeyValues rows={[['IP address', payment.payerIp], ...payerRows(payment.payer)]} />
      </Section>
      {Object.keys(payment.payee).length > 0 && (
        <Section title="Recipient">
          <Pairs of={payment.payee} />
        </Section>
      )}
      <Section title="Custom data">
        {payment.customData === null ? (
          <Empty title="No custom data." />
        ) : (
          <JsonView label="Custom data" value={payment.customData} />
        )}
      </Section>
    </>
  )
}

// biome-ignore format: a table is read in columns.
const payerNames: Readonly<Record<string, string>> = {
  // member              title
  first_name:          'First name',
  last_name:           'Last name',
  birth_date:          'Date of birth',
  email:               'E-mail address',
  phone_country_code:  'Phone country code',
  phone:               'Phone',
  address:             'Address',
  address2:            'Address, second line',
  house_number:        'House number',
  zip:                 'Postal code',
  city:                'City',
  district:            'District',
  state:               'State',
  country:             'Country',
}

/** In the order of the titles; members without a title follow under their own names. */
function payerRows(payer: Readonly<Record<string, string | null>>): readonly KeyValue[] {
  const known = Object.entries(payerNames).flatMap(([name, title]): readonly KeyValue[] => {
    const value = payer[name]
    return value === undefined ? [] : [[title, value]]
  })
  return [...known, ...Object.entries(payer).filter(([name]) => payerNames[name] === undefined)]
}
