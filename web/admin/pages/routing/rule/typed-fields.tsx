/** Fields whose value is not the typed text itself. The text stays as typed while the value read from it goes into the rule. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Json } from '../../../api/api-types.ts'
import { TextArea, TextField } from '../../../kit/form/fields.tsx'
import type { FieldBinding } from '../../../kit/form/use-form.ts'
import { wordAt } from './draft-rule.ts'

interface TypedProps<T> {
  readonly at: FieldBinding<T>
  readonly label: string
  readonly hint?: string | undefined
}

/** A text that is not a number is passed on unchanged, and the service reports it. */
export function NumberField(props: TypedProps<Json> & { readonly optional?: boolean }): JSX.Element {
  const { at, label, hint, optional = false } = props
  const typed = useTyped(at, wordAt({ value: at.value }, 'value'), (text) => numberFrom(text, optional))
  return <TextField at={typed} label={label} hint={hint} inputMode="decimal" optional={optional} />
}

function numberFrom(text: string, optional: boolean): Json {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return optional ? null : ''
  const number = Number(plain)
  return Number.isFinite(number) ? number : text
}

export function CodesField({ at, label, hint }: TypedProps<readonly string[]>): JSX.Element {
  const typed = useTyped(at, at.value.join(', '), (text) => parts(text, /[\s,;]+/))
  return <TextField at={typed} label={label} hint={hint} mono />
}

export function LinesField({ at, label, hint }: TypedProps<readonly string[]>): JSX.Element {
  const typed = useTyped(at, at.value.join('\n'), (text) => parts(text, /\n/))
  return <TextArea at={typed} label={label} hint={hint} rows={3} mono />
}

const parts = (text: string, separator: RegExp): readonly string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

function useTyped<T>(at: FieldBinding<T>, initial: string, read: (text: string) => T): FieldBinding<string> {
  const typed = useSignal(initial)
  return {
    id: at.id,
    error: at.error,
    value: typed.value,
    set: (text) => {
      typed.value = text
      at.set(read(text))
    },
  }
}
