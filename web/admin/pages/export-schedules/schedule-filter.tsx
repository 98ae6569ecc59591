/** Which payments a scheduled export has: the usual filters, and those that came with it from the Transactions page. */
import type { JSX } from 'preact'
import { statuses } from '#domain/payment/payment.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Button } from '../../kit/button.tsx'
import { FieldGroup, FieldRow, SelectField } from '../../kit/form/fields.tsx'
import type { FormState } from '../../kit/form/use-form.ts'
import type { ScheduleValues } from './schedule-values.ts'

export function ScheduleFilter({ form }: { readonly form: FormState<ScheduleValues> }): JSX.Element {
  const merchants = useMerchants()
  const { otherFilters } = form.values
  const remove = (name: string): void => {
    const { [name]: _removed, ...kept } = otherFilters
    form.set({ otherFilters: kept })
  }
  return (
    <FieldGroup title="Payments" hint="For other filters, search on the page Transactions and choose Export there.">
      <SelectField
        label="Merchant"
        at={form.at('merchantId')}
        options={[{ value: '', text: 'All of the owner’s merchants' }, ...merchants.choices]}
      />
      <FieldRow>
        <SelectField label="Status" at={form.at('status')} options={statusChoices} />
        <SelectField label="Mode" at={form.at('test')} options={modes} />
      </FieldRow>
      {Object.keys(otherFilters).length > 0 && (
        <ul>
          {Object.entries(otherFilters).map(([name, value]) => (
            <li key={name}>
              {name}: {value}{' '}
              <Button small kind="quiet" onClick={() => remove(name)}>
                Remove {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </FieldGroup>
  )
}

const statusChoices = [{ value: '', text: 'Any' }, ...statuses.map((status) => ({ value: status, text: status }))]

const modes = [
  { value: 'false', text: 'Live' },
  { value: 'true', text: 'Test' },
  { value: '', text: 'Both' },
]
