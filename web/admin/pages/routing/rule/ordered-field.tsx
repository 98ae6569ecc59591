/** A list of names whose order matters. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Button } from '../../../kit/button.tsx'
import type { FieldBinding } from '../../../kit/form/use-form.ts'
import { moveItem } from './draft-rule.ts'

interface OrderedFieldProps {
  readonly at: FieldBinding<readonly string[]>
  readonly label: string
  readonly hint?: string | undefined
  /** Empty if the names are unknown to this user, who then types them. */
  readonly options: readonly string[]
}

export function OrderedField({ at, label, hint, options }: OrderedFieldProps): JSX.Element {
  const { id, value, error, set } = at
  return (
    <fieldset class={error ? 'field many wrong' : 'field many'} id={id} tabIndex={-1}>
      <legend>
        {label} <span class="faint">{value.length === 0 ? 'none selected' : 'in this order'}</span>
      </legend>
      {hint && <p class="hint">{hint}</p>}
      {value.length > 0 && (
        <ol class="ordered">
          {value.map((name, index) => (
            <li key={name}>
              <span class="mono">{name}</span>
              <Button
                small
                kind="quiet"
                icon="up"
                label={`Move ${name} up`}
                disabled={index === 0}
                onClick={() => set(moveItem(value, index, index - 1))}
              />
              <Button
                small
                kind="quiet"
                icon="down"
                label={`Move ${name} down`}
                disabled={index === value.length - 1}
                onClick={() => set(moveItem(value, index, index + 1))}
              />
              <Button
                small
                kind="quiet"
                icon="close"
                label={`Remove ${name}`}
                onClick={() => set(value.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ol>
      )}
      <Adding
        id={`${id}-add`}
        label={`Add to ${label}`}
        options={options.length === 0 ? null : options.filter((one) => !value.includes(one))}
        onAdd={(name) => !value.includes(name) && set([...value, name])}
      />
      {error && <p class="error">{error}</p>}
    </fieldset>
  )
}

interface AddingProps {
  readonly id: string
  readonly label: string
  readonly options: readonly string[] | null
  readonly onAdd: (name: string) => void
}

function Adding({ id, label, options, onAdd }: AddingProps): JSX.Element {
  const typed = useSignal('')
  if (options !== null)
    return (
      <select
        id={id}
        aria-label={label}
        value=""
        onChange={({ currentTarget }) => {
          if (currentTarget.value !== '') onAdd(currentTarget.value)
          currentTarget.value = ''
        }}
      >
        <option value="">Add …</option>
        {options.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    )
  const add = (): void => {
    if (typed.value.trim() !== '') onAdd(typed.value.trim())
    typed.value = ''
  }
  return (
    <div class="adding">
      <input
        id={id}
        type="text"
        class="mono"
        aria-label={label}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
      />
      <Button onClick={add}>Add</Button>
    </div>
  )
}
