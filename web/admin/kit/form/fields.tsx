/** Inputs with label, hint and error, bound to a field of a form. */
import type { ComponentChildren, JSX } from 'preact'
import { Field, fieldAttributes } from '../../../kit/field.tsx'
import { CodeList, type Suggested } from './code-list.tsx'
import { Input, type InputType } from './input.tsx'
import type { FieldBinding } from './use-form.ts'

export interface FieldProps<T> {
  readonly at: FieldBinding<T>
  readonly label: string
  readonly hint?: string | undefined
  /** Marks the label as optional. */
  readonly optional?: boolean
  readonly disabled?: boolean
}

interface TextFieldProps extends FieldProps<string> {
  readonly type?: InputType
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'text'
  readonly maxLength?: number
  readonly placeholder?: string
  readonly suggest?: Suggested
  /** In a monospace font, for keys, addresses and codes. */
  readonly mono?: boolean
}

export function TextField(props: TextFieldProps): JSX.Element {
  const { at, type = 'text', autoComplete = 'off', mono = false, suggest } = props
  return (
    <Field {...frameOf(props)}>
      <Input
        {...fieldAttributes(frameOf(props))}
        type={type}
        class={mono ? 'mono' : undefined}
        value={at.value}
        onInput={({ currentTarget }) => at.set(currentTarget.value)}
        autoComplete={autoComplete}
        inputMode={props.inputMode}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        list={suggest && `${at.id}-codes`}
        disabled={props.disabled}
        spellcheck={false}
      />
      {suggest && <CodeList id={`${at.id}-codes`} of={suggest} />}
    </Field>
  )
}

interface TextAreaProps extends FieldProps<string> {
  readonly rows?: number
  readonly mono?: boolean
  readonly placeholder?: string
}

export function TextArea(props: TextAreaProps): JSX.Element {
  const { at, rows = 4, mono = false } = props
  return (
    <Field {...frameOf(props)}>
      <textarea
        {...fieldAttributes(frameOf(props))}
        class={mono ? 'mono' : undefined}
        rows={rows}
        value={at.value}
        onInput={({ currentTarget }) => at.set(currentTarget.value)}
        placeholder={props.placeholder}
        disabled={props.disabled}
        spellcheck={!mono}
      />
    </Field>
  )
}

export interface Choice<T extends string = string> {
  readonly value: T
  readonly text: string
}

interface SelectFieldProps<T extends string> extends FieldProps<T> {
  readonly options: readonly Choice<T>[]
}

export function SelectField<T extends string>(props: SelectFieldProps<T>): JSX.Element {
  const { at, options } = props
  return (
    <Field {...frameOf(props)}>
      <select
        {...fieldAttributes(frameOf(props))}
        value={at.value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(({ value }) => value === currentTarget.value)
          if (chosen) at.set(chosen.value)
        }}
        disabled={props.disabled}
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface CheckFieldProps extends Omit<FieldProps<boolean>, 'label'> {
  readonly label: ComponentChildren
}

export function CheckField({ at, label, hint, disabled }: CheckFieldProps): JSX.Element {
  return (
    <div class={at.error ? 'field check wrong' : 'field check'}>
      <input
        {...fieldAttributes({ id: at.id, label: '', error: at.error, hint })}
        type="checkbox"
        checked={at.value}
        onChange={({ currentTarget }) => at.set(currentTarget.checked)}
        disabled={disabled}
      />
      <label for={at.id}>{label}</label>
      {hint && (
        <p class="hint" id={`${at.id}-hint`}>
          {hint}
        </p>
      )}
      {at.error && (
        <p class="error" id={`${at.id}-error`}>
          {at.error}
        </p>
      )}
    </div>
  )
}

/** Related fields under a common heading. */
export function FieldGroup(props: {
  readonly title: string
  readonly hint?: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <fieldset class="group">
      <legend>{props.title}</legend>
      {props.hint && <p class="hint">{props.hint}</p>}
      {props.children}
    </fieldset>
  )
}

/** Fields side by side where there is room. */
export const FieldRow = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <div class="field-row">{children}</div>
)

export const frameOf = <T,>({ at, label, hint, optional = false }: FieldProps<T>) => ({
  id: at.id,
  label,
  error: at.error,
  hint,
  optional: optional ? '(optional)' : undefined,
})
