/** Creates or changes a scheduled export. */
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { Drawer } from '../../kit/dialog.tsx'
import { FieldGroup, FieldRow, SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import { timeZoneChoices } from '../../kit/form/time-zones.ts'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { mode } from '../../session/mode.ts'
import { ScheduleFilter } from './schedule-filter.tsx'
import {
  bodyOf,
  type ColumnNames,
  newSchedule,
  type Schedule,
  type ScheduleValues,
  valuesOf,
} from './schedule-values.ts'

interface ScheduleDrawerProps {
  /** Null creates one. */
  readonly schedule: Schedule | null
  /** Of a new one. */
  readonly filter: Readonly<Record<string, string>> | null
  readonly columns: ColumnNames
  readonly onDone: (secret: string | null) => void
  readonly onClose: () => void
}

export function ScheduleDrawer({ schedule, filter, columns, onDone, onClose }: ScheduleDrawerProps): JSX.Element {
  const form = useForm({
    initial: schedule === null ? newSchedule(filter, mode.value) : valuesOf(schedule, columns),
    check: ({ name, targetKind, addresses, url }) => ({
      name: name.trim() === '' ? 'Enter a name.' : null,
      addresses: targetKind === 'mail' && addresses.trim() === '' ? 'Enter at least one e-mail address.' : null,
      url:
        targetKind === 'https' && url.trim() === '' && schedule?.targetKind !== 'https'
          ? 'Enter where the file is sent.'
          : null,
    }),
    paths: {
      addresses: 'target',
      url: 'target',
      time: 'minuteOfDay',
      merchantId: 'filter.merchantId',
      status: 'filter.status',
    },
    send: (values) => save(schedule, bodyOf(values, columns)),
    onDone,
  })
  return (
    <Drawer title={schedule === null ? 'New scheduled export' : schedule.name} onClose={onClose}>
      <Form form={form} act={schedule === null ? 'Schedule export' : 'Save'} onCancel={onClose}>
        <TextField label="Name" at={form.at('name')} maxLength={100} />
        <SelectField label="Rows" at={form.at('kind')} options={kinds} hint={kindHints[form.values.kind]} />
        <TimeFields form={form} />
        <ScheduleFilter form={form} />
        <MultiSelect
          label="Columns"
          none="all columns"
          at={form.at('columns')}
          options={columns[form.values.kind].map((name) => ({ value: name, text: name }))}
        />
        <TargetFields form={form} schedule={schedule} />
      </Form>
    </Drawer>
  )
}

interface FieldsProps {
  readonly form: FormState<ScheduleValues>
}

const TimeFields = ({ form }: FieldsProps): JSX.Element => (
  <FieldGroup title="Period" hint="The file is written at this time on the day after the period.">
    <FieldRow>
      <SelectField label="Covers" at={form.at('period')} options={periods} />
      <TextField label="Time" type="time" at={form.at('time')} />
    </FieldRow>
    <SelectField label="Time zone" at={form.at('timeZone')} options={timeZoneChoices(form.values.timeZone)} />
  </FieldGroup>
)

function TargetFields({ form, schedule }: FieldsProps & Pick<ScheduleDrawerProps, 'schedule'>): JSX.Element {
  const keeps = schedule?.targetKind === 'https'
  return (
    <FieldGroup title="Target">
      <SelectField label="Send" at={form.at('targetKind')} options={targets} />
      {form.values.targetKind === 'mail' ? (
        <TextArea label="E-mail addresses" rows={2} at={form.at('addresses')} hint="Up to 10, separated by commas." />
      ) : (
        <TextField
          label="Address"
          type="url"
          at={form.at('url')}
          maxLength={1024}
          optional={keeps}
          hint={
            keeps ? `Now ${schedule.shownTarget}. Leave empty to keep it.` : 'Signed with a secret that is shown once.'
          }
        />
      )}
    </FieldGroup>
  )
}

/** Returns the secret of a new address. */
async function save(schedule: Schedule | null, body: ReturnType<typeof bodyOf>): Promise<Result<string | null>> {
  const saved =
    schedule === null
      ? await call('POST /export-schedules', { body })
      : await call('PUT /export-schedules/:exportScheduleId', { params: { exportScheduleId: schedule.id }, body })
  return saved.ok ? { ok: true, value: saved.value.secret } : saved
}

const kinds = [
  { value: 'payments', text: 'One for each payment' },
  { value: 'transactions', text: 'One for each transaction that moved money' },
] as const

const kindHints: Readonly<Record<Schedule['kind'], string>> = {
  payments: 'Payments that were created in the period.',
  transactions:
    'Sales, captures, refunds, chargebacks and voids that were executed in the period, even if the payment is older.',
}

const periods = [
  { value: 'day', text: 'The previous day' },
  { value: 'week', text: 'The previous week' },
  { value: 'month', text: 'The previous month' },
] as const

const targets = [
  { value: 'mail', text: 'By e-mail' },
  { value: 'https', text: 'To an HTTPS address' },
] as const
