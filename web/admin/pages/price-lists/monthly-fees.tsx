/** The monthly fees of a new price list: one for each currency. */
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { FieldGroup, FieldRow, TextField } from '../../kit/form/fields.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import { emptyFee, type TypedFee } from './typed-list.ts'

export function MonthlyFees({ at }: { readonly at: FieldBinding<readonly TypedFee[]> }): JSX.Element {
  const field = (index: number, fee: TypedFee, name: keyof TypedFee): FieldBinding<string> => ({
    id: `${at.id}-${index}-${name}`,
    value: fee[name],
    set: (value) => at.set(at.value.with(index, { ...fee, [name]: value })),
    error: null,
  })
  return (
    <>
      {at.value.map((fee, index) => (
        <FieldGroup key={index} title={at.value.length === 1 ? 'Monthly fee' : `Monthly fee ${index + 1}`}>
          <FieldRow>
            <TextField label="Amount" optional inputMode="decimal" at={field(index, fee, 'amount')} />
            <TextField label="Currency" suggest="currency" maxLength={10} at={field(index, fee, 'currency')} />
          </FieldRow>
          {at.value.length > 1 && (
            <Button small onClick={() => at.set(at.value.toSpliced(index, 1))}>
              Remove monthly fee {index + 1}
            </Button>
          )}
        </FieldGroup>
      ))}
      {at.error !== null && (
        <p class="error" role="alert">
          {at.error}
        </p>
      )}
      <p>
        <Button onClick={() => at.set([...at.value, { ...emptyFee, currency: '' }])}>Add monthly fee</Button>
      </p>
    </>
  )
}
