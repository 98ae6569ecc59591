/** The last notification of each acquirer, and a warning where they have stopped. */
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Empty } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { pauseText } from './pause-text.ts'

type MidNotifications = Answer<'GET /system/notifications'>['mids'][number]

const everyMs = 10_000

export function Notifications(): JSX.Element {
  const read = useReading('GET /system/notifications', { everyMs })
  return (
    <>
      <p class="faint">
        Acquirers report outcomes, refunds and disputes to /acquirers/MID/notifications. A pause is unusual if it
        exceeds three times the longest of the last 50 while payments are approved. “gatehouse acquirer notifications”
        lists each of them.
      </p>
      <DataTable
        caption="Notifications by MID"
        list={pageOfRead(read, ({ mids }) => mids)}
        keyOf={({ midId }) => midId}
        columns={[
          { title: 'MID', cell: ({ midName }) => midName },
          { title: 'Connector', minor: true, cell: ({ connector }) => connector },
          { title: 'Last arrival', cell: ({ lastAt }) => (lastAt === null ? 'never' : <DateTime at={lastAt} />) },
          { title: 'State', cell: stateOf },
          { title: 'Waiting', end: true, cell: ({ waiting }) => waiting },
          { title: 'Failed', end: true, cell: ({ failed }) => failed },
          { title: 'Refused, 7 days', end: true, cell: refusedOf },
        ]}
        empty={<Empty title="No MID’s acquirer sends notifications." />}
      />
    </>
  )
}

function stateOf({ isSilent, enabled, lastAt, expectedWithinMs }: MidNotifications): JSX.Element {
  if (isSilent && expectedWithinMs !== null)
    return (
      <>
        <Badge tone="warn">longer than usual</Badge>
        <p class="faint">
          Payments are approved, but none came within {pauseText(expectedWithinMs)}. Check the webhook at the acquirer.
        </p>
      </>
    )
  if (!enabled) return <Badge>MID off</Badge>
  if (lastAt === null) return <Badge>none yet</Badge>
  return <Badge tone="good">as usual</Badge>
}

const refusedOf = ({ refused, refusedReason }: MidNotifications): JSX.Element => (
  <>
    {refused}
    {refusedReason !== null && <p class="faint">{refusedReason}</p>}
  </>
)
