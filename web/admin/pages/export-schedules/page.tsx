/** Exports that are written and sent by a schedule: by mail, or to an HTTPS address. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { clockText } from '#domain/time.ts'
import { call, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { useFilters } from '../../kit/form/use-filters.ts'
import { Page } from '../../kit/page.tsx'
import { Empty, Notice } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { RunsDrawer } from './runs-drawer.tsx'
import { ScheduleDrawer } from './schedule-drawer.tsx'
import { filterIn, type Schedule } from './schedule-values.ts'

type Open =
  | { readonly what: 'edit'; readonly schedule: Schedule }
  | { readonly what: 'remove'; readonly schedule: Schedule }

export function ExportSchedulesPage(): JSX.Element {
  const read = useReading('GET /export-schedules')
  // In the address: mails lead to the runs of a schedule, and the Transactions page to a new one with its filter.
  const { values, set } = useFilters(['schedule', 'new'])
  const open = useSignal<Open | null>(null)
  const secret = useSignal<string | null>(null)
  const listed = read.value?.schedules.find(({ id }) => id === values.schedule)
  const close = (): void => {
    open.value = null
    set({ new: '' })
  }
  const toggle = async ({ id, pausedAt }: Schedule): Promise<void> => {
    const params = { exportScheduleId: id }
    const result =
      pausedAt === null
        ? await call('POST /export-schedules/:exportScheduleId/pause', { params })
        : await call('POST /export-schedules/:exportScheduleId/resume', { params })
    if (!result.ok) return toastFault(result.fault)
    toast(pausedAt === null ? 'Export paused.' : 'Export resumed.')
    read.reload()
  }
  return (
    <Page
      title="Scheduled exports"
      actions={
        <Button kind="primary" icon="plus" onClick={() => set({ new: 'blank' })}>
          New export
        </Button>
      }
    >
      {read.value?.sendsMail === false && (
        <Notice>This instance sends no e-mail: SMTP_URL is not set. Files can be sent to HTTPS addresses.</Notice>
      )}
      <DataTable
        caption="Scheduled exports"
        list={pageOfRead(read, ({ schedules }) => schedules)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name, cut: ({ name }) => name },
          { title: 'Owner', cell: ({ ownerEmail }) => ownerEmail, cut: ({ ownerEmail }) => ownerEmail, minor: true },
          { title: 'Covers', cell: timesText },
          { title: 'Sent to', cell: ({ shownTarget }) => shownTarget, cut: ({ shownTarget }) => shownTarget },
          { title: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
          {
            title: 'Actions',
            end: true,
            cell: (schedule) => (
              <span class="row-actions">
                <Button small onClick={() => set({ schedule: schedule.id })}>
                  Runs
                </Button>
                <Button
                  small
                  onClick={() => {
                    open.value = { what: 'edit', schedule }
                  }}
                >
                  Edit
                </Button>
                <Button small onClick={() => void toggle(schedule)}>
                  {schedule.pausedAt === null ? 'Pause' : 'Resume'}
                </Button>
                <Button
                  small
                  onClick={() => {
                    open.value = { what: 'remove', schedule }
                  }}
                >
                  Remove
                </Button>
              </span>
            ),
          },
        ]}
        empty={
          <Empty title="No scheduled exports.">
            <p>Schedule one to get the payments of each day, week or month as a CSV file.</p>
          </Empty>
        }
      />
      {read.value !== null && (open.value?.what === 'edit' || values.new !== '') && (
        <ScheduleDrawer
          schedule={open.value?.what === 'edit' ? open.value.schedule : null}
          filter={filterIn(values.new)}
          columns={read.value.columns}
          onClose={close}
          onDone={(newSecret) => {
            toast('Export saved.')
            secret.value = newSecret
            close()
            read.reload()
          }}
        />
      )}
      {open.value?.what === 'remove' && (
        <RemoveDialog schedule={open.value.schedule} onDone={read.reload} onClose={close} />
      )}
      {listed !== undefined && <RunsDrawer schedule={listed} onClose={() => set({ schedule: '' })} />}
      {secret.value !== null && (
        <SecretOnce
          title="Signing secret"
          secrets={[['Secret', secret.value]]}
          onClose={() => {
            secret.value = null
          }}
        />
      )}
    </Page>
  )
}

const timesText = ({ kind, period, minuteOfDay, timeZone }: Schedule): string =>
  `${kind === 'payments' ? 'Payments' : 'Transactions'} of each ${period}, at ${clockText(minuteOfDay)} ${timeZone}`

function NextRun({
  schedule: { pausedAt, pauseReason, nextAt, lastState },
}: {
  readonly schedule: Schedule
}): JSX.Element {
  if (pausedAt !== null)
    return (
      <span>
        <Badge tone={pauseReason === null ? 'warn' : 'bad'}>paused</Badge> {pauseReason}
      </span>
    )
  return (
    <span>
      <DateTime at={nextAt} /> {lastState === 'failed' && <Badge tone="bad">last run failed</Badge>}
    </span>
  )
}

interface RemoveDialogProps {
  readonly schedule: Schedule
  readonly onDone: () => void
  readonly onClose: () => void
}

const RemoveDialog = ({ schedule, onDone, onClose }: RemoveDialogProps): JSX.Element => (
  <ConfirmDialog
    title={`Remove ${schedule.name}?`}
    act="Remove"
    danger
    onClose={onClose}
    onConfirm={async (): Promise<Result<unknown>> => {
      const params = { exportScheduleId: schedule.id }
      const result = await call('DELETE /export-schedules/:exportScheduleId', { params })
      if (!result.ok) return result
      toast('Export removed.')
      onDone()
      return result
    }}
  >
    <p>No more files are sent. The list of runs and the stored files are deleted.</p>
  </ConfirmDialog>
)
