/** A choice of one from a list, by the browser's own control: it can be searched by typing and filled in by the browser. */
import type { JSX } from 'preact'
import { Field, type FieldFrame, fieldAttributes } from './field.tsx'

export interface Option {
  readonly value: string
  readonly text: string
}

export interface SelectInputProps extends FieldFrame {
  readonly value: string
  readonly options: readonly Option[]
  /** Stands first, and is no choice. */
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
