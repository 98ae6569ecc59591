/** A choice from a list with the browser's own control, which supports search by typing and autofill. */
import type { JSX } from 'preact'
import { Field, type FieldFrame, fieldAttributes } from './field.tsx'

export interface Option {
  readonly value: string
  readonly text: string
}

interface SelectInputProps extends FieldFrame {
  readonly value: string
  readonly options: readonly Option[]
  /** The first entry, which cannot be chosen. */
  readonly prompt: string
  readonly onChange: (value: string) => void
  readonly onLeave: () => void
  readonly required: boolean
  readonly autoComplete: string
  readonly locked: boolean
}

export function SelectInput(props: SelectInputProps): JSX.Element {
  const { value, options, prompt, onChange, onLeave, required, autoComplete, locked } = props
  return (
    <Field {...props}>
      <div class="input select">
        <select
          {...fieldAttributes(props)}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={onLeave}
          required={required}
          autoComplete={autoComplete}
          disabled={locked}
        >
          <option value="">{prompt}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      </div>
    </Field>
  )
}
