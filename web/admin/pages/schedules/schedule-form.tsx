/** The form of a schedule. Numbers are texts while they are typed; an empty text means not set. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { mode } from '../../session/mode.ts'
import { weekdays } from './rhythm.ts'
import type { Schedule } from './schedule.ts'

type Unit = Schedule['intervalUnit']
type Beginning = Schedule['delayedFirstPayment']

interface Values {
  readonly name: string
  readonly intervalLength: string
  readonly intervalUnit: Unit
  readonly dayOfMonth: string
  readonly paymentsCount: string
  readonly delayedFirstPayment: Beginning
  readonly firstPaymentIntervalLength: string
  readonly firstPaymentIntervalUnit: Unit
  readonly firstPaymentDayOfWeek: string
  readonly firstPaymentDayOfMonth: string
}

interface ScheduleFormProps {
  readonly merchantId: string
  /** Null: a new schedule. */
  readonly schedule: Schedule | null
  readonly onDone: (words: string) => void
  readonly onCancel: () => void
}

export function ScheduleForm({ merchantId, schedule, onDone, onCancel }: ScheduleFormProps): JSX.Element {
  const form = useForm<Values, unknown>({
    initial: valuesOf(schedule),
    guards: false,
    send: (values) =>
      schedule
        ? call('PATCH /merchants/:merchantId/schedules/:scheduleId', {
            params: { merchantId, scheduleId: schedule.id },
            body: bodyOf(values),
          })
        : call('POST /merchants/:merchantId/schedules', {
            params: { merchantId },
            body: { ...bodyOf(values), mode: mode.value },
          }),
    onDone: (_, { name }) => onDone(schedule ? `Schedule ${name} saved.` : `Schedule ${name} created.`),
  })
  return (
    <Form form={form} act={schedule ? 'Save' : 'Create schedule'} onCancel={onCancel} always={schedule === null}>
      {schedule !== null && schedule.running > 0 && (
        <Notice tone="warn">
          <p>
            {schedule.running} running {schedule.running === 1 ? 'plan is' : 'plans are'} rescheduled when you save.
          </p>
        </Notice>
      )}
      <TextField label="Name" at={form.at('name')} maxLength={100} />
      <FieldRow>
        <TextField label="Charge every" inputMode="numeric" at={form.at('intervalLength')} />
        <SelectField label="Unit" at={form.at('intervalUnit')} options={units} />
        <TextField
          label="Day of the month"
          optional
          inputMode="numeric"
          hint="For months and years. Shorter months use their last day."
          at={form.at('dayOfMonth')}
        />
        <TextField label="Number of payments" inputMode="numeric" at={form.at('paymentsCount')} />
      </FieldRow>
      <SelectField label="First payment" at={form.at('delayedFirstPayment')} options={beginnings} />
      <BeginningFields form={form} />
    </Form>
  )
}

function BeginningFields({ form }: { readonly form: FormState<Values> }): JSX.Element | null {
  switch (form.values.delayedFirstPayment) {
    case 'none':
      return null
    case 'delay_by_interval':
      return (
        <FieldRow>
          <TextField label="After" inputMode="numeric" at={form.at('firstPaymentIntervalLength')} />
          <SelectField label="Unit of the delay" at={form.at('firstPaymentIntervalUnit')} options={units} />
        </FieldRow>
      )
    case 'day_of_week':
      return (
        <SelectField
          label="Day of the week"
          at={form.at('firstPaymentDayOfWeek')}
          options={weekdays.map((text, index) => ({ value: String(index + 1), text }))}
        />
      )
    case 'day_of_month':
      return <TextField label="Day of a month" inputMode="numeric" at={form.at('firstPaymentDayOfMonth')} />
  }
}

const units: readonly { readonly value: Unit; readonly text: string }[] = [
  { value: 'day', text: 'days' },
  { value: 'week', text: 'weeks' },
  { value: 'month', text: 'months' },
  { value: 'year', text: 'years' },
]

const beginnings: readonly { readonly value: Beginning; readonly text: string }[] = [
  { value: 'none', text: 'Immediately' },
  { value: 'delay_by_interval', text: 'After a delay' },
  { value: 'day_of_week', text: 'On the next day of the week' },
  { value: 'day_of_month', text: 'On the next day of the month' },
]

const valuesOf = (schedule: Schedule | null): Values => ({
  name: schedule?.name ?? '',
  intervalLength: String(schedule?.intervalLength ?? 1),
  intervalUnit: schedule?.intervalUnit ?? 'month',
  dayOfMonth: textOf(schedule?.dayOfMonth),
  paymentsCount: String(schedule?.paymentsCount ?? 12),
  delayedFirstPayment: schedule?.delayedFirstPayment ?? 'none',
  firstPaymentIntervalLength: textOf(schedule?.firstPaymentIntervalLength),
  firstPaymentIntervalUnit: schedule?.firstPaymentIntervalUnit ?? 'day',
  firstPaymentDayOfWeek: textOf(schedule?.firstPaymentDayOfWeek ?? 1),
  firstPaymentDayOfMonth: textOf(schedule?.firstPaymentDayOfMonth),
})

const textOf = (number: number | null | undefined): string =>
  number === null || number === undefined ? '' : String(number)

/** Fields of the other kinds of beginning are not sent, because the service would refuse them. */
function bodyOf(values: Values) {
  const { delayedFirstPayment: beginning } = values
  return {
    name: values.name.trim(),
    intervalLength: Number(values.intervalLength),
    intervalUnit: values.intervalUnit,
    dayOfMonth: numberOf(values.dayOfMonth),
    paymentsCount: Number(values.paymentsCount),
    delayedFirstPayment: beginning,
    firstPaymentIntervalLength: beginning === 'delay_by_interval' ? numberOf(values.firstPaymentIntervalLength) : null,
    firstPaymentIntervalUnit: beginning === 'delay_by_interval' ? values.firstPaymentIntervalUnit : null,
    firstPaymentDayOfWeek: beginning === 'day_of_week' ? numberOf(values.firstPaymentDayOfWeek) : null,
    firstPaymentDayOfMonth: beginning === 'day_of_month' ? numberOf(values.firstPaymentDayOfMonth) : null,
  }
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
