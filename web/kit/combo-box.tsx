/**
 * A choice from a long list with a search field. It follows the ARIA combobox pattern, so keyboards and screen readers work as expected.
 * Chapter 30 §7.3, phone country code.
 */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Field, type FieldFrame, fieldAttributes } from './field.tsx'
import { searchOptions } from './matching.ts'
import type { Option } from './select-input.tsx'

interface ComboBoxProps extends FieldFrame {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
  readonly onLeave: () => void
  readonly required: boolean
  readonly autoComplete: string
  readonly noMatch: string
  readonly locked: boolean
}

export function ComboBox(props: ComboBoxProps): JSX.Element {
  const { id, value, options, onChoose, onLeave } = props
  const typed = useSignal<string | null>(null)
  const active = useSignal(0)
  const chosen = options.find((option) => option.value === value)
  const found = typed.value === null ? [] : searchOptions(options, typed.value)
  const open = typed.value !== null && !props.locked
  const choose = (option: Option | undefined): void => {
    if (option) onChoose(option.value)
    typed.value = null
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      if (typed.value === null) typed.value = ''
      else active.value = Math.min(active.value + 1, found.length - 1)
    },
    ArrowUp: () => {
      active.value = Math.max(active.value - 1, 0)
    },
    Enter: () => choose(found[active.value]),
    Escape: () => {
      typed.value = null
    },
  }
  return (
    <Field {...props}>
      <div class="input combo">
        <input
          {...fieldAttributes(props)}
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && found.length > 0 ? `${id}-${active.value}` : undefined}
          autoComplete={props.autoComplete}
          required={props.required}
          readOnly={props.locked}
          value={typed.value ?? chosen?.text ?? value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            active.value = 0
          }}
          onClick={() => {
            typed.value ??= ''
          }}
          onKeyDown={(event) => {
            const act = keys[event.key]
            if (!act || (event.key === 'Enter' && !open)) return
            event.preventDefault()
            act()
          }}
          onBlur={() => {
            // A browser's autofill writes a code or a name and never presses Enter.
            if (typed.value) choose(found[active.value])
            typed.value = null
            onLeave()
          }}
        />
        <div
          class="options"
          id={`${id}-list`}
          role="listbox"
          aria-label={props.label}
          hidden={!open || found.length === 0}
        >
          {found.map((option, at) => (
            <div
              key={option.value + option.text}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active.value}
              // Before the input loses the focus.
              onPointerDown={(event) => {
                event.preventDefault()
                choose(option)
              }}
              ref={at === active.value ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
            >
              {option.text}
            </div>
          ))}
        </div>
        {open && found.length === 0 && (
          <p class="options none" role="status">
            {props.noMatch}
          </p>
        )}
      </div>
    </Field>
  )
}
