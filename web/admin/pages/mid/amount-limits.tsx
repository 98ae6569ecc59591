/** Amount limits as money: a row per currency. */
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { FieldRow, TextField } from '../../kit/form/fields.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import type { AmountRow } from './typed-settings.ts'

interface AmountLimitsProps {
  readonly at: FieldBinding<readonly AmountRow[]>
  readonly longer: 'week' | 'month'
}

export function AmountLimits({ at, longer }: AmountLimitsProps): JSX.Element {
  const rows = at.value
  const change = (index: number, changes: Partial<AmountRow>): void =>
    at.set(rows.map((row, place) => (place === index ? { ...row, ...changes } : row)))
  const field = (index: number, name: keyof AmountRow) => ({
    id: `${at.id}-${index}-${name}`,
    value: rows[index]?.[name] ?? '',
    error: null,
    set: (text: string) => change(index, { [name]: text }),
  })
  return (
    <div class={at.error ? 'amount-limits wrong' : 'amount-limits'} id={at.id} tabIndex={-1}>
      {rows.map((row, index) => (
        <FieldRow key={index}>
          <TextField
            label="Currency"
            suggest="currency"
            mono
            maxLength={10}
            placeholder="EUR"
            at={field(index, 'currency')}
          />
          <TextField label="Amount per day" optional inputMode="decimal" at={field(index, 'day')} />
          <TextField label={`Amount per ${longer}`} optional inputMode="decimal" at={field(index, 'longer')} />
          <div class="field row-action">
            <Button
              kind="quiet"
              label={`Remove the limits in ${row.currency || 'this row'}`}
              onClick={() => at.set(rows.filter((_, place) => place !== index))}
            >
              Remove
            </Button>
          </div>
        </FieldRow>
      ))}
      {at.error && (
        <p class="error" role="alert">
          {at.error}
        </p>
      )}
      <Button onClick={() => at.set([...rows, { currency: '', day: '', longer: '' }])}>Add amount limit</Button>
    </div>
  )
}
