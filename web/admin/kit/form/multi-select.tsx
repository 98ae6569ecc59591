/** Chooses any number of options with checkboxes, with a search field if the list is long. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { countText } from '../values/count-text.ts'
import type { Choice, FieldProps } from './fields.tsx'

interface MultiSelectProps extends FieldProps<readonly string[]> {
  readonly options: readonly Choice[]
  /** Shown if nothing is chosen, where that means all. */
  readonly none?: string
}

const searchedFrom = 9
/** If an option is longer than this, the options are stacked. */
const longText = 28

export function MultiSelect({ at, label, hint, options, none, disabled }: MultiSelectProps): JSX.Element {
  const typed = useSignal('')
  const wanted = typed.value.trim().toLowerCase()
  const shown = options.filter(({ value, text }) => `${value} ${text}`.toLowerCase().includes(wanted))
  const toggle = (value: string, isChosen: boolean): void =>
    at.set(isChosen ? [...at.value, value] : at.value.filter((one) => one !== value))
  return (
    <fieldset class={at.error ? 'field many wrong' : 'field many'} disabled={disabled} id={at.id} tabIndex={-1}>
      <legend>
        {label}{' '}
        <span class="faint">
          {at.value.length === 0 ? (none ?? 'none selected') : `${countText(at.value.length)} selected`}
        </span>
      </legend>
      {hint && <p class="hint">{hint}</p>}
      {options.length >= searchedFrom && (
        <input
          type="search"
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
          }}
        />
      )}
      <div class={options.some(({ text }) => text.length > longText) ? 'many-options long' : 'many-options'}>
        {shown.map(({ value, text }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={at.value.includes(value)}
              onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
            />
            <span>{text}</span>
          </label>
        ))}
        {shown.length === 0 && <p class="faint">No matches.</p>}
      </div>
      {at.error && <p class="error">{at.error}</p>}
    </fieldset>
  )
}
