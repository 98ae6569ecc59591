/** One line of text with its frame. */
import type { ComponentChildren, JSX } from 'preact'
import { Field, type FieldFrame, fieldAttributes } from './field.tsx'

interface TextInputProps extends FieldFrame {
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: HTMLInputElement }) => void
  readonly onLeave: () => void
  readonly required: boolean
  readonly type?: 'text' | 'email' | 'tel' | 'date'
  readonly autoComplete: string
  readonly inputMode?: 'numeric' | 'tel' | 'email' | 'text' | 'decimal'
  readonly maxLength?: number
  readonly placeholder?: string
  /** Digits run from left to right in every language. */
  readonly ltr?: boolean
  readonly locked: boolean
  /** Shown at the end of the input. */
  readonly badge?: ComponentChildren
}

export function TextInput(props: TextInputProps): JSX.Element {
  return (
    <Field {...props}>
      <div class="input">
        <Input {...props} />
        {props.badge}
      </div>
    </Field>
  )
}

function Input(props: TextInputProps): JSX.Element {
  const shared = {
    ...fieldAttributes(props),
    value: props.value,
    onInput: props.onInput,
    onBlur: props.onLeave,
    required: props.required,
    autoComplete: props.autoComplete,
    inputMode: props.inputMode,
    maxLength: props.maxLength,
    placeholder: props.placeholder,
    dir: props.ltr ? ('ltr' as const) : undefined,
    readOnly: props.locked,
    autoCapitalize: 'off' as const,
    autoCorrect: 'off',
    spellcheck: false,
  }
  switch (props.type) {
    case 'date':
      return <input {...shared} type="date" />
    case 'email':
      return <input {...shared} type="email" />
    case 'tel':
      return <input {...shared} type="tel" />
    default:
      return <input {...shared} type="text" />
  }
}
