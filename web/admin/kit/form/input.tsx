/** One line of input of any type. The branches are identical; each tells the compiler to which type the attributes belong. */
import type { JSX } from 'preact'

export type InputType = 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'datetime-local' | 'time' | 'color'

interface InputProps {
  readonly type: InputType
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: HTMLInputElement }) => void
  readonly id: string
  readonly class?: string | undefined
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'text' | undefined
  readonly maxLength?: number | undefined
  readonly placeholder?: string | undefined
  /** The id of a `datalist` with suggestions. */
  readonly list?: string | undefined
  readonly disabled?: boolean | undefined
  readonly spellcheck?: boolean
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly 'aria-invalid'?: 'true' | undefined
  readonly 'aria-describedby'?: string | undefined
}

export function Input({ type, ...rest }: InputProps): JSX.Element {
  switch (type) {
    case 'text':
      return <input {...rest} type="text" />
    case 'email':
      return <input {...rest} type="email" />
    case 'url':
      return <input {...rest} type="url" />
    case 'search':
      return <input {...rest} type="search" />
    case 'password':
      return <input {...rest} type="password" />
    case 'date':
    case 'datetime-local':
    case 'time':
    case 'color':
      return <input {...rest} type={type} />
  }
}
