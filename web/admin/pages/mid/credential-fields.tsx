/** Inputs for the credentials of a connector, generated from its schema. */
import type { JSX } from 'preact'
import { SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import type { CredentialField } from './credential-schema.ts'

interface CredentialFieldsProps {
  readonly fields: readonly CredentialField[]
  readonly at: FieldBinding<Readonly<Record<string, string>>>
}

export function CredentialFields({ fields, at }: CredentialFieldsProps): JSX.Element {
  return (
    <>
      {fields.map((field) => (
        <CredentialInput
          key={field.name}
          field={field}
          at={{
            id: `${at.id}-${field.name}`,
            value: at.value[field.name] ?? '',
            error: at.inner?.[field.name] ?? null,
            set: (value) => at.set({ ...at.value, [field.name]: value }),
          }}
        />
      ))}
      {at.error && !fields.some(({ name }) => at.inner?.[name]) && <p class="error">{at.error}</p>}
    </>
  )
}

interface CredentialInputProps {
  readonly field: CredentialField
  readonly at: FieldBinding<string>
}

function CredentialInput({ field, at }: CredentialInputProps): JSX.Element {
  const shared = { label: field.label, hint: field.hint, optional: !field.isRequired, at }
  switch (field.kind) {
    case 'choice':
    case 'flag':
      return <SelectField {...shared} options={choicesOf(field)} />
    case 'lines':
      return <TextArea {...shared} mono />
    case 'secret':
      return <TextField {...shared} mono type="password" autoComplete="new-password" />
    case 'number':
    case 'text':
      return <TextField {...shared} mono inputMode={field.kind === 'number' ? 'decimal' : 'text'} />
  }
}

const choicesOf = ({ kind, choices }: CredentialField) =>
  kind === 'flag'
    ? [
        { value: '', text: 'no' },
        { value: 'true', text: 'yes' },
      ]
    : [{ value: '', text: 'Select' }, ...choices.map((value) => ({ value, text: value }))]
