/** A checkbox whose label may contain any content. */
import type { ComponentChildren, JSX } from 'preact'
import { fieldAttributes } from './field.tsx'

interface CheckBoxProps {
  readonly id: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly error: string | null
  readonly required: boolean
  readonly locked: boolean
  readonly children: ComponentChildren
}

export function CheckBox({ id, checked, onChange, error, required, locked, children }: CheckBoxProps): JSX.Element {
  return (
    <div class={error ? 'check wrong' : 'check'}>
      <div class="check-line">
        <input
          {...fieldAttributes({ id, label: '', error })}
          type="checkbox"
          checked={checked}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          aria-required={required}
          disabled={locked}
        />
        <label for={id}>{children}</label>
      </div>
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
