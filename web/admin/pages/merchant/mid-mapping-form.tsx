/** One mapping of a merchant to a MID. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { CheckField, FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { AmountLimits } from '../mid/amount-limits.tsx'
import { type AmountRow, amountRows, countText, limitFrom, noLimit, rowsFault } from '../mid/typed-settings.ts'

export type Mapping = Answer<'GET /merchants/:merchantId/mappings'>['mappings'][number]
type Mid = Answer<'GET /mids'>['mids'][number]

interface Values {
  readonly midId: string
  readonly enabled: boolean
  readonly channel: string
  readonly priority: string
  readonly weight: string
  readonly amounts: readonly AmountRow[]
  readonly dayCount: string
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
      amounts: 'dayLimit.amounts',
      dayCount: 'dayLimit.count',
      weekCount: 'weekLimit.count',
    },
    check: ({ midId, amounts }) => ({ midId: midId === '' ? 'Select a MID.' : null, amounts: rowsFault(amounts) }),
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
        hint="Payments are counted in all currencies together, amounts in each currency separately. Leave empty for no limit."
      >
        <FieldRow>
          <TextField label="Payments per day" inputMode="numeric" at={form.at('dayCount')} />
          <TextField label="Payments per week" inputMode="numeric" at={form.at('weekCount')} />
        </FieldRow>
        <AmountLimits at={form.at('amounts')} longer="week" />
      </FieldGroup>
    </Form>
  )
}

function valuesOf(mapping: Mapping | null): Values {
  const [day, week] = [mapping?.dayLimit ?? noLimit, mapping?.weekLimit ?? noLimit]
  return {
    midId: mapping?.midId ?? '',
    enabled: mapping?.enabled ?? true,
    channel: mapping?.channel ?? '',
    priority: String(mapping?.priority ?? 1),
    weight: String(mapping?.weight ?? 1),
    amounts: amountRows(day, week),
    dayCount: countText(day),
    weekCount: countText(week),
  }
}

const bodyOf = (values: Values) => ({
  enabled: values.enabled,
  channel: values.channel.trim() || null,
  priority: Number(values.priority),
  weight: Number(values.weight),
  dayLimit: limitFrom(values.amounts, 'day', values.dayCount),
  weekLimit: limitFrom(values.amounts, 'longer', values.weekCount),
})
