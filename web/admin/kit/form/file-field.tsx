/** A file as a field of a form: the browser's own input, which names what was chosen. */
import type { JSX } from 'preact'
import { Field, fieldAttributes } from '../../../kit/field.tsx'
import { type FieldProps, frameOf } from './fields.tsx'

export interface FileFieldProps extends FieldProps<File | null> {
  /** Kinds of files as the browser filters them: `.zip,image/png`. */
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
