/** Inputs for the credentials of a connector, generated from its schema. */
import type { JSX } from 'preact'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import type { CredentialField } from './schema.ts'

interface CredentialFieldsProps {
  readonly fields: readonly CredentialField[]
  readonly at: FieldBinding<Readonly<Record<string, string>>>
}

export function CredentialFields({ fields, at }: CredentialFieldsProps): JSX.Element {
  return (
    <>
      {fields.map((field) => {
        const bound: FieldBinding<string> = {
          id: `${at.id}-${field.name}`,
          value: at.value[field.name] ?? '',
          error: at.inner?.[field.name] ?? null,
          set: (value) => at.set({ ...at.value, [field.name]: value }),
        }
        const shared = { label: field.label, hint: field.hint, optional: !field.isRequired, at: bound }
        return field.kind === 'choice' || field.kind === 'flag' ? (
          <SelectField key={field.name} {...shared} options={choicesOf(field)} />
        ) : (
          <TextField key={field.name} {...shared} mono inputMode={field.kind === 'number' ? 'decimal' : 'text'} />
        )
      })}
      {at.error && !fields.some(({ name }) => at.inner?.[name]) && <p class="error">{at.error}</p>}
    </>
  )
}

const choicesOf = ({ kind, choices }: CredentialField) =>
  kind === 'flag'
    ? [
        { value: '', text: 'no' },
        { value: 'true', text: 'yes' },
      ]
    : [{ value: '', text: 'Select' }, ...choices.map((value) => ({ value, text: value }))]
