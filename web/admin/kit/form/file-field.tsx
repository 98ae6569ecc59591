/** A file as a field of a form: the browser's own input, which shows the name of the chosen file. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Field, fieldAttributes } from '../../../kit/field.tsx'
import { type FieldProps, frameOf } from './fields.tsx'

interface FileFieldProps extends FieldProps<File | null> {
  /** File types as the browser filters them: `.zip,image/png`. */
  readonly accept?: string
}

export function FileField(props: FileFieldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const { value } = props.at
  // Only a user can choose a file, but a form that is reset forgets it.
  useEffect(() => {
    if (value === null && input.current !== null) input.current.value = ''
  }, [value])
  return (
    <Field {...frameOf(props)}>
      <input
        {...fieldAttributes(frameOf(props))}
        ref={input}
        type="file"
        accept={props.accept}
        disabled={props.disabled}
        onChange={({ currentTarget }) => props.at.set(currentTarget.files?.[0] ?? null)}
      />
    </Field>
  )
}
