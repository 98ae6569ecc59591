/** Why the payment went where it went, and the attempts of its cascade. Chapter 50 §3, chapter 10 §6.2. */
import type { JSX } from 'preact'
import { Status } from '../../kit/badge.tsx'
import { DataTable, present } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { PaymentExplanation } from '../routing/trial/explanation.tsx'
import { type Details, pathOf, placeOf } from './details.ts'

export function RoutingTab({ details }: { readonly details: Details }): JSX.Element {
  const { payment, attempts } = details
  return (
    <>
      {attempts.length > 1 && <Attempts details={details} />}
      <Section title="Why it went where it went">
        <PaymentExplanation {...placeOf(payment)} />
      </Section>
    </>
  )
}

function Attempts({ details: { attempts, payment } }: { readonly details: Details }): JSX.Element {
  return (
    <Section title="Attempts of the cascade">
      <p class="section-note">
        Each attempt is a payment of its own. This is number {payment.attempt}; the merchant hears of the last one.
      </p>
      <DataTable
        caption="Attempts of the cascade"
        list={present(attempts)}
        keyOf={({ id }) => id}
        linkOf={(one) => `${pathOf(one)}?tab=routing`}
        columns={[
          { title: 'Attempt', cell: ({ attempt, id }) => `${attempt}${id === payment.id ? ' (this one)' : ''}` },
          { title: 'MID', cell: ({ midName, midId }) => midName ?? midId },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Declined because', cell: ({ declineReason }) => declineReason ?? '—' },
          { title: 'Made', cell: ({ createdAt }) => <DateTime at={createdAt} seconds /> },
        ]}
      />
    </Section>
  )
}
