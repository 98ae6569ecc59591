/** A condition or an action: its kind, and the fields of that kind. */
import type { JSX } from 'preact'
import { SelectField } from '../../../kit/form/fields.tsx'
import type { Part } from './draft-rule.ts'
import { freshPart, type Kind, kindOf } from './kinds.ts'
import { PartFields } from './part-fields.tsx'
import type { PartProps } from './part-props.ts'

interface PartFormProps extends Omit<PartProps, 'set'> {
  readonly label: string
  readonly table: Readonly<Record<string, Kind>>
  readonly onChange: (part: Part) => void
}

export function PartForm({ label, table, onChange, ...props }: PartFormProps): JSX.Element {
  const { id, part, faults } = props
  const kind = kindOf(table, part)
  const whole = faults.filter(({ field }) => field === '' || field === 'kind').map(({ text }) => text)
  return (
    <>
      <SelectField
        label={label}
        at={{
          id: `${id}-kind`,
          value: part.kind,
          error: whole[0] ?? null,
          set: (next) => onChange(freshPart(table, next)),
        }}
        options={Object.entries(table).map(([value, { title }]) => ({ value, text: title }))}
      />
      {kind && (
        <PartFields key={part.kind} kind={kind} {...props} set={(changes) => onChange({ ...part, ...changes })} />
      )}
    </>
  )
}
