/** A colour, typed or picked; empty means the default. */
import type { JSX } from 'preact'
import { isColour } from '#domain/checkout/colour.ts'
import { Field, fieldAttributes } from '../../../kit/field.tsx'
import { Button } from '../../kit/button.tsx'
import { type FieldProps, frameOf } from '../../kit/form/fields.tsx'

/** The colour picker of the browser cannot be empty. */
const defaultColour = '#808080'

export function ColourField(props: FieldProps<string>): JSX.Element {
  const { at, label, disabled } = props
  return (
    <Field {...frameOf(props)}>
      <div class="colour">
        <input
          type="color"
          aria-label={`Pick: ${label}`}
          value={isColour(at.value) ? at.value : defaultColour}
          onInput={({ currentTarget }) => at.set(currentTarget.value)}
          disabled={disabled}
        />
        <input
          {...fieldAttributes(frameOf(props))}
          type="text"
          class="mono"
          placeholder="default"
          maxLength={7}
          value={at.value}
          onInput={({ currentTarget }) => at.set(currentTarget.value.trim())}
          disabled={disabled}
          spellcheck={false}
          autoComplete="off"
        />
        {at.value !== '' && !disabled && (
          <Button kind="quiet" icon="close" label={`Use the default: ${label}`} onClick={() => at.set('')} />
        )}
      </div>
    </Field>
  )
}
