/** Why the payment was routed as it was, and the attempts of its cascade. Chapter 50 §3, chapter 10 §6.2. */
import type { JSX } from 'preact'
import { Status } from '../../kit/badge.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { PaymentExplanation } from '../routing/trial/explanation.tsx'
import { type Details, pathOf, placeOf } from './details.ts'

export function RoutingTab({ details }: { readonly details: Details }): JSX.Element {
  const { payment, attempts } = details
  return (
    <>
      {attempts.length > 1 && <Attempts details={details} />}
      <Section title="Routing decision">
        <PaymentExplanation {...placeOf(payment)} />
      </Section>
    </>
  )
}

function Attempts({ details: { attempts, payment } }: { readonly details: Details }): JSX.Element {
  return (
    <Section title="Cascade attempts">
      <p class="section-note">
        Each attempt is a separate payment. This is attempt {payment.attempt}. The merchant is notified of the last one.
      </p>
      <DataTable
        caption="Cascade attempts"
        list={pageOfRows(attempts)}
        keyOf={({ id }) => id}
        linkOf={(one) => (one.id === payment.id ? undefined : `${pathOf(one)}?tab=routing`)}
        columns={[
          {
            title: 'Attempt',
            cell: ({ attempt, id }) => `Attempt ${attempt}${id === payment.id ? ' (this payment)' : ''}`,
            whole: true,
          },
          { title: 'MID', cell: ({ midName, midId }) => midName ?? midId },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Decline reason', cell: ({ declineReason }) => declineReason ?? '—' },
          { title: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} seconds /> },
        ]}
      />
    </Section>
  )
}
