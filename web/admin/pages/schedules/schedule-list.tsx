/** The schedules of a merchant: created, changed, paused, resumed and deleted. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { type Column, DataTable, pageOfRead } from '../../kit/data-table.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { Section } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { countText } from '../../kit/values/count-text.ts'
import { mode } from '../../session/mode.ts'
import { may } from '../../session/session.ts'
import { rhythmText } from './rhythm.ts'
import type { Schedule } from './schedule.ts'
import { ScheduleForm } from './schedule-form.tsx'

type OpenDialog =
  | { readonly what: 'form'; readonly schedule: Schedule | null }
  | { readonly what: 'remove'; readonly schedule: Schedule }

export function ScheduleList({ merchantId }: { readonly merchantId: string }): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/schedules', { params: { merchantId } })
  const opened = useSignal<OpenDialog | null>(null)
  const close = (): void => {
    opened.value = null
  }
  const make = (): void => {
    opened.value = { what: 'form', schedule: null }
  }
  const toggle = async ({ id, name, paused }: Schedule): Promise<void> => {
    const params = { merchantId, scheduleId: id }
    const result = await (paused
      ? call('POST /merchants/:merchantId/schedules/:scheduleId/run', { params, body: {} })
      : call('POST /merchants/:merchantId/schedules/:scheduleId/pause', { params, body: {} }))
    if (!result.ok) return toastFault(result.fault)
    toast(paused ? `Schedule ${name} resumed.` : `Schedule ${name} paused. Nothing is charged until it is resumed.`)
    read.reload()
  }
  const noteSaved = (words: string): void => {
    close()
    toast(words)
    read.reload()
  }
  return (
    <Section
      title="Schedules"
      actions={
        <May use="schedules.write">
          <Button kind="primary" icon="plus" onClick={make}>
            New schedule
          </Button>
        </May>
      }
    >
      <DataTable
        caption="Schedules"
        list={pageOfRead(read, ({ schedules }) => schedules.filter((one) => one.mode === mode.value))}
        keyOf={({ id }) => id}
        columns={columnsWith(opened, (schedule) => void toggle(schedule))}
        empty={
          <Empty title={`No ${mode.value} schedules yet.`}>
            <p>A schedule defines how often and how many times to charge. A payment with a schedule starts a plan.</p>
          </Empty>
        }
      />
      {opened.value?.what === 'form' && (
        <Dialog title={opened.value.schedule ? 'Edit schedule' : 'New schedule'} onClose={close} shape="wide">
          <ScheduleForm merchantId={merchantId} schedule={opened.value.schedule} onDone={noteSaved} onCancel={close} />
        </Dialog>
      )}
      {opened.value?.what === 'remove' && (
        <RemoveDialog merchantId={merchantId} schedule={opened.value.schedule} onClose={close} onDone={noteSaved} />
      )}
    </Section>
  )
}

interface RemoveDialogProps {
  readonly merchantId: string
  readonly schedule: Schedule
  readonly onClose: () => void
  readonly onDone: (words: string) => void
}

function RemoveDialog({ merchantId, schedule, onClose, onDone }: RemoveDialogProps): JSX.Element {
  const { id, name, running } = schedule
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      act="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        const params = { merchantId, scheduleId: id }
        const result = await call('POST /merchants/:merchantId/schedules/:scheduleId/remove', { params, body: {} })
        if (result.ok) onDone(`Schedule ${name} deleted.`)
        return result
      }}
    >
      <p>
        {running === 0
          ? 'No active plans use this schedule.'
          : `${running} running ${running === 1 ? 'plan ends' : 'plans end'} and will no longer be charged.`}
      </p>
    </ConfirmDialog>
  )
}

function columnsWith(
  opened: { value: OpenDialog | null },
  toggle: (schedule: Schedule) => void,
): readonly Column<Schedule>[] {
  const columns: readonly Column<Schedule>[] = [
    { title: 'Name', cell: ({ name }) => name, whole: true },
    { title: 'State', cell: ({ paused }) => <Status of={paused ? 'paused' : 'running'} /> },
    { title: 'Charges', cell: rhythmText, whole: true },
    { title: 'Payments', cell: ({ paymentsCount }) => countText(paymentsCount), end: true, minor: true },
    { title: 'Plans', cell: ({ running }) => countText(running), end: true },
    {
      title: 'Identifier',
      cell: ({ id, name }) => <Copyable text={id} label={`Copy the identifier of ${name}`} first={13} />,
      whole: true,
    },
  ]
  if (!may('schedules.write')) return columns
  return [
    ...columns,
    {
      title: 'Actions',
      cell: (schedule) => <Actions schedule={schedule} opened={opened} toggle={toggle} />,
      end: true,
    },
  ]
}

interface ActionsProps {
  readonly schedule: Schedule
  readonly opened: { value: OpenDialog | null }
  readonly toggle: (schedule: Schedule) => void
}

const Actions = ({ schedule, opened, toggle }: ActionsProps): JSX.Element => (
  <div class="row-actions">
    <Button
      small
      onClick={() => {
        opened.value = { what: 'form', schedule }
      }}
    >
      Change
    </Button>
    <Button small onClick={() => toggle(schedule)}>
      {schedule.paused ? 'Resume' : 'Pause'}
    </Button>
    <Button
      small
      kind="danger"
      onClick={() => {
        opened.value = { what: 'remove', schedule }
      }}
    >
      Delete
    </Button>
  </div>
)
