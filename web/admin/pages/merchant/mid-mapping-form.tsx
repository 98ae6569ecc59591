/** One mapping of a merchant to a MID. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { CheckField, FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { limitFrom, limitTexts } from '../mid/typed-settings.ts'

export type Mapping = Answer<'GET /merchants/:merchantId/mappings'>['mappings'][number]
type Mid = Answer<'GET /mids'>['mids'][number]

interface Values {
  readonly midId: string
  readonly enabled: boolean
  readonly channel: string
  readonly priority: string
  readonly weight: string
  readonly dayAmount: string
  readonly dayCount: string
  readonly weekAmount: string
  readonly weekCount: string
}

interface MidMappingFormProps {
  readonly merchantId: string
  /** Null: a new mapping. */
  readonly mapping: Mapping | null
  readonly mids: readonly Mid[]
  readonly onDone: (words: string) => void
  readonly onCancel: () => void
}

export function MidMappingForm({ merchantId, mapping, mids, onDone, onCancel }: MidMappingFormProps): JSX.Element {
  const form = useForm<Values, Mapping>({
    initial: valuesOf(mapping),
    guards: false,
    paths: {
      dayAmount: 'dayLimit.amountMinor',
      dayCount: 'dayLimit.count',
      weekAmount: 'weekLimit.amountMinor',
      weekCount: 'weekLimit.count',
    },
    check: ({ midId }) => ({ midId: midId === '' ? 'Select a MID.' : null }),
    send: (values) =>
      mapping
        ? call('PATCH /merchants/:merchantId/mappings/:mappingId', {
            params: { merchantId, mappingId: mapping.id },
            body: bodyOf(values),
          })
        : call('POST /merchants/:merchantId/mappings', {
            params: { merchantId },
            body: { midId: values.midId, ...bodyOf(values) },
          }),
    onDone: () => onDone(mapping ? 'Mapping saved.' : 'MID mapped.'),
  })
  return (
    <Form form={form} act={mapping ? 'Save' : 'Map MID'} onCancel={onCancel} always={mapping === null}>
      {mapping === null && (
        <SelectField
          label="MID"
          at={form.at('midId')}
          options={[
            { value: '', text: 'Select a MID' },
            ...mids.map(({ id, name, mode }) => ({ value: id, text: `${name} (${mode})` })),
          ]}
        />
      )}
      <CheckField label="Enabled" at={form.at('enabled')} />
      <FieldRow>
        <TextField
          label="Priority"
          inputMode="numeric"
          hint="Lower numbers are tried first."
          at={form.at('priority')}
        />
        <TextField
          label="Weight"
          inputMode="numeric"
          hint="Share of payments among MIDs of equal priority."
          at={form.at('weight')}
        />
        <TextField
          label="Channel"
          optional
          hint="Only for requests with this channel_id."
          maxLength={16}
          at={form.at('channel')}
        />
      </FieldRow>
      <FieldGroup
        title="Limits"
        hint="Amounts in minor units of the payment’s currency: 10000 is 100.00 EUR. Different currencies are added up unconverted. Leave empty for no limit."
      >
        <FieldRow>
          <TextField label="Amount per day" inputMode="numeric" at={form.at('dayAmount')} />
          <TextField label="Payments per day" inputMode="numeric" at={form.at('dayCount')} />
        </FieldRow>
        <FieldRow>
          <TextField label="Amount per week" inputMode="numeric" at={form.at('weekAmount')} />
          <TextField label="Payments per week" inputMode="numeric" at={form.at('weekCount')} />
        </FieldRow>
      </FieldGroup>
    </Form>
  )
}

const none = { amountMinor: null, count: null }

function valuesOf(mapping: Mapping | null): Values {
  const [day, week] = [limitTexts(mapping?.dayLimit ?? none), limitTexts(mapping?.weekLimit ?? none)]
  return {
    midId: mapping?.midId ?? '',
    enabled: mapping?.enabled ?? true,
    channel: mapping?.channel ?? '',
    priority: String(mapping?.priority ?? 1),
    weight: String(mapping?.weight ?? 1),
    dayAmount: day.amount,
    dayCount: day.count,
    weekAmount: week.amount,
    weekCount: week.count,
  }
}

const bodyOf = (values: Values) => ({
  enabled: values.enabled,
  channel: values.channel.trim() || null,
  priority: Number(values.priority),
  weight: Number(values.weight),
  dayLimit: limitFrom(values.dayAmount, values.dayCount),
  weekLimit: limitFrom(values.weekAmount, values.weekCount),
})
