/** What the acquirer reported about the payment by itself. */
import type { JSX } from 'preact'
import { Status } from '../../kit/badge.tsx'
import { DataTable, pageOfRows } from '../../kit/data-table.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import type { Details } from './details.ts'

type Notification = Details['notifications'][number]

export function Notifications({ details: { notifications } }: { readonly details: Details }): JSX.Element {
  return (
    <Section title="Notifications of the acquirer">
      <DataTable
        caption="Notifications of the acquirer"
        list={pageOfRows(notifications)}
        keyOf={({ kind, reference, notificationId }) => `${notificationId} ${kind} ${reference}`}
        columns={[
          { title: 'Received', cell: ({ receivedAt }) => <DateTime at={receivedAt} seconds /> },
          { title: 'Event', cell: ({ kind }) => kind },
          { title: 'State', cell: stateOf },
          { title: 'MID', cell: ({ midName }) => midName ?? '–' },
          { title: 'Acquirer’s reference', minor: true, cell: ({ reference }) => <code>{reference}</code> },
        ]}
        empty={<Empty title="The acquirer has sent no notification about this payment." />}
      />
    </Section>
  )
}

const stateOf = ({ state, note, tries }: Notification): JSX.Element => (
  <>
    <Status of={state} />
    {note !== null && (
      <p class="faint">
        {note} {tries === 1 ? 'Tried once.' : `Tried ${tries} times.`}
      </p>
    )}
  </>
)
