/** Health, jobs, keys, and the test clock of a sandbox. */
import type { JSX } from 'preact'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Page, Section } from '../../kit/page.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { type Tab, Tabs } from '../../kit/tabs.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { may, session } from '../../session/session.ts'
import { Notifications } from './notifications.tsx'
import { TestClock } from './test-clock.tsx'

const everyMs = 10_000

export function SystemPage(): JSX.Element {
  const hasClock = session.value?.mode === 'sandbox' && may('clock.write')
  const clock: Tab = { name: 'clock', title: 'Test clock', content: () => <TestClock /> }
  return (
    <Page title="Health">
      <Tabs
        label="System"
        tabs={[
          { name: 'health', title: 'Health', content: () => <Health /> },
          { name: 'notifications', title: 'Notifications', content: () => <Notifications /> },
          { name: 'jobs', title: 'Jobs', content: () => <Jobs /> },
          { name: 'keys', title: 'Keys', content: () => <Keys /> },
          ...(hasClock ? [clock] : []),
        ]}
      />
    </Page>
  )
}

/** The same checks as `gatehouse doctor`; a sandbox has none. */
function Findings(): JSX.Element | null {
  const { value } = useReading('GET /system/findings', { everyMs })
  if (session.value?.mode !== 'live' || value === null) return null
  return (
    <Section title="Live instance checks">
      {value.findings.length === 0 ? (
        <p>{light(true, 'all pass')}</p>
      ) : (
        <ul class="bare findings">
          {value.findings.map(({ sentence, severity, remedy }) => (
            <li key={sentence}>
              <p>
                <Badge tone={severity === 'red' ? 'bad' : 'warn'}>{severity}</Badge> {sentence}
              </p>
              <p class="faint">{remedy}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Health(): JSX.Element {
  const read = useReading('GET /system/health', { everyMs })
  return (
    <ReadResult read={read}>
      {({ callbacks, schema, ...health }) => (
        <>
          <Findings />
          <Section title="Instance">
            <KeyValues
              rows={[
                ['Release', health.release],
                ['Mode', <Badge tone={health.mode === 'live' ? 'good' : 'warn'}>{health.mode}</Badge>],
                [
                  'Schema',
                  light(
                    schema.applied === schema.known,
                    `${countText(schema.applied)} of ${countText(schema.known)} migrations`,
                  ),
                ],
                ['Instance time', <DateTime at={health.now} seconds />],
                ['Machine time', <DateTime at={health.machineTime} seconds />],
              ]}
            />
          </Section>
          <Section title="Queues">
            <KeyValues
              rows={[
                ['Callbacks waiting', countText(callbacks.waiting)],
                ['Callbacks late', light(callbacks.late === 0, countText(callbacks.late))],
                ['Late since', <DateTime at={callbacks.oldestLateAt} />],
                ['Callbacks failed', light(callbacks.failed === 0, countText(callbacks.failed))],
                ['Blocked addresses', light(callbacks.blockedUrls === 0, countText(callbacks.blockedUrls))],
                ['Outcomes being asked', countText(health.outcomesBeingAsked)],
                [
                  'Unknown outcomes',
                  <Link key="unknown" to="/unresolved">
                    {light(health.unknownOutcomes === 0, countText(health.unknownOutcomes))}
                  </Link>,
                ],
                [
                  'Acquirers without notifications',
                  light(health.silentMids.length === 0, health.silentMids.join(', ') || 'none'),
                ],
              ]}
            />
          </Section>
        </>
      )}
    </ReadResult>
  )
}

/** The text says the same as the colour. */
const light = (isGood: boolean, text: string): JSX.Element => (
  <Badge tone={isGood ? 'good' : 'bad'}>{isGood ? text : `${text}, needs attention`}</Badge>
)

function Jobs(): JSX.Element {
  const read = useReading('GET /system/jobs', { everyMs })
  return (
    <DataTable
      caption="Jobs"
      list={pageOfRead(read, ({ jobs }) => jobs)}
      keyOf={({ job }) => job}
      columns={[
        { title: 'Job', cell: ({ job }) => job },
        { title: 'Waiting', end: true, cell: ({ waiting }) => countText(waiting) },
        { title: 'Due now', end: true, cell: ({ due }) => countText(due) },
        { title: 'Due since', cell: ({ oldestDueAt }) => <DateTime at={oldestDueAt} /> },
      ]}
    />
  )
}

function Keys(): JSX.Element {
  const read = useReading('GET /system/keys')
  return (
    <>
      <p class="faint">
        Key-encryption keys wrap the data keys of merchants. “gatehouse keys rotate” rewraps them while the service
        runs.
      </p>
      <DataTable
        caption="Key-encryption keys"
        list={pageOfRead(read, ({ keys }) => keys)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Key', cell: ({ id }) => <code>{id}</code> },
          { title: 'Data keys wrapped', end: true, cell: ({ wraps }) => countText(wraps) },
        ]}
      />
    </>
  )
}
