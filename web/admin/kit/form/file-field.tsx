/** A file as a field of a form: the browser's own input, which shows the name of the chosen file. */
import type { JSX } from 'preact'
import { Field, fieldAttributes } from '../../../kit/field.tsx'
import { type FieldProps, frameOf } from './fields.tsx'

interface FileFieldProps extends FieldProps<File | null> {
  /** File types as the browser filters them: `.zip,image/png`. */
  readonly accept?: string
}

export function FileField(props: FileFieldProps): JSX.Element {
  return (
    <Field {...frameOf(props)}>
      <input
        {...fieldAttributes(frameOf(props))}
        type="file"
        accept={props.accept}
        disabled={props.disabled}
        onChange={({ currentTarget }) => props.at.set(currentTarget.files?.[0] ?? null)}
      />
    </Field>
  )
}
