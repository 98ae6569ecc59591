/** Why the payment went where it went, and the attempts of its cascade. Chapter 50 §3, chapter 10 §6.2. */
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { DataTable, present } from '../../kit/data-table.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { JsonView } from '../../kit/json-view.tsx'
import { Section } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { type Details, pathOf, placeOf } from './details.ts'

export function RoutingTab({ details }: { readonly details: Details }): JSX.Element {
  const { payment, attempts } = details
  const read = useReading('GET /merchants/:merchantId/payments/:paymentId/routing', { params: placeOf(payment) })
  return (
    <>
      {attempts.length > 1 && <Attempts details={details} />}
      <Section title="Why it went where it went">
        <Loaded read={read}>
          {({ sentences, explanation }) => (
            <>
              <ol class="sentences">
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ol>
              <details>
                <summary>The stored decision</summary>
                <JsonView label="The stored decision" value={explanation} />
              </details>
            </>
          )}
        </Loaded>
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
