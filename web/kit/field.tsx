/** An input with its visible label, hint and error, linked for screen readers. Chapter 30 §7.9. */
import type { ComponentChildren, JSX } from 'preact'

export interface FieldFrame {
  readonly id: string
  readonly label: string
  readonly error: string | null
  readonly hint?: string | undefined
  /** Shown behind the label of an optional field. */
  readonly optional?: string | undefined
}

/** The attributes of the input. */
export function fieldAttributes({ id, error, hint }: FieldFrame) {
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return {
    id,
    'aria-invalid': error ? ('true' as const) : undefined,
    'aria-describedby': described === '' ? undefined : described,
  }
}

export function Field(
  frame: FieldFrame & { readonly children: ComponentChildren; readonly wide?: boolean },
): JSX.Element {
  const { id, label, error, hint, optional, children } = frame
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> {optional}</span>}
      </label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
