/** The runs of a scheduled export: what was sent when, what went wrong, and the files that are still stored. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, addressOf, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Empty, Notice, type Tone } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import type { Schedule } from './schedule-values.ts'

type Run = Answer<'GET /export-schedules/:exportScheduleId/runs'>['runs'][number]

interface RunsDrawerProps {
  readonly schedule: Schedule
  readonly onClose: () => void
}

const everyMs = 3000
const mostRuns = 100

export function RunsDrawer({ schedule, onClose }: RunsDrawerProps): JSX.Element {
  const params = { exportScheduleId: schedule.id }
  const busy = useSignal(false)
  const read = useReading('GET /export-schedules/:exportScheduleId/runs', {
    params,
    query: { limit: mostRuns },
    everyMs,
  })
  const run = async (day?: string): Promise<void> => {
    busy.value = true
    const result = await call('POST /export-schedules/:exportScheduleId/run', {
      params,
      body: day === undefined ? {} : { day },
    })
    busy.value = false
    if (!result.ok) return toastFault(result.fault)
    toast(`The export of ${result.value.period} is being sent.`)
    read.reload()
  }
  return (
    <Drawer title={`Runs of ${schedule.name}`} onClose={onClose}>
      {schedule.pauseReason !== null && <Notice tone="bad">{schedule.pauseReason}</Notice>}
      <p>
        <Button busy={busy.value} onClick={() => void run()}>
          Run the last period now
        </Button>
      </p>
      <DataTable
        caption="Runs"
        list={pageOfRead(read, ({ runs }) => runs)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Period', cell: (one) => periodText(one), whole: true },
          { title: 'State', cell: (one) => <RunState run={one} /> },
          { title: 'Rows', end: true, cell: ({ rowCount }) => rowCount ?? '—' },
          { title: 'Size', end: true, cell: ({ byteCount }) => sizeText(byteCount), minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (one) => (
              <span class="row-actions">
                {one.isStored && (
                  <a
                    class="button small"
                    href={addressOf('/export-schedules/:exportScheduleId/runs/:exportRunId/content', {
                      ...params,
                      exportRunId: one.id,
                    })}
                    download
                  >
                    Download
                  </a>
                )}
                {one.state !== 'waiting' && (
                  <Button small onClick={() => void run(one.day)}>
                    Run again
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        empty={
          <Empty title="No runs yet.">
            <p>The first run follows when its period is over. Run the last period now to see a file.</p>
          </Empty>
        }
      />
    </Drawer>
  )
}

const periodText = ({ period, repetition }: Run): string =>
  repetition === 0 ? period : `${period}, repetition ${repetition}`

const tones: Readonly<Record<Run['state'], Tone>> = { waiting: 'info', sent: 'good', failed: 'bad', refused: 'bad' }

const RunState = ({ run: { state, fault, endedAt, nextAt, attempts } }: { readonly run: Run }): JSX.Element => (
  <span>
    <Badge tone={tones[state]}>{state}</Badge> {endedAt !== null && <DateTime at={endedAt} />}
    {fault !== null && ` ${fault}`}
    {state === 'waiting' && attempts > 0 && (
      <>
        {' '}
        Next attempt <DateTime at={nextAt} />.
      </>
    )}
  </span>
)

function sizeText(bytes: string | null): string {
  if (bytes === null) return '—'
  const kilobytes = Number(bytes) / 1024
  return kilobytes < 1024 ? `${Math.ceil(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`
}
