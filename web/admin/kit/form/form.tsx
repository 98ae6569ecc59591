/** The frame of a form: its fields, the refusal, and its buttons. */
import type { ComponentChildren, JSX } from 'preact'
import { Button } from '../button.tsx'
import { FaultView } from '../fault-view.tsx'
import type { FormState } from './use-form.ts'

interface FormProps<Values> {
  readonly form: FormState<Values>
  readonly children: ComponentChildren
  /** The label of the submit button: the action itself. */
  readonly act: string
  readonly onCancel?: (() => void) | undefined
  /** The button is enabled even if nothing was changed. */
  readonly always?: boolean
  readonly danger?: boolean
  /** For users who may not change the values: every field is disabled, and there is no button. */
  readonly readOnly?: boolean
  readonly more?: ComponentChildren
}

export function Form<Values>(props: FormProps<Values>): JSX.Element {
  const { form, children, act, onCancel, always = true, danger = false, readOnly = false, more } = props
  return (
    <form
      id={form.id}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {form.fault && (
        <div tabIndex={-1}>
          <FaultView fault={form.fault} />
        </div>
      )}
      {readOnly ? (
        <fieldset class="plain-group" disabled>
          {children}
        </fieldset>
      ) : (
        <>
          {children}
          <div class="form-actions">
            <Button
              type="submit"
              kind={danger ? 'danger' : 'primary'}
              busy={form.isBusy}
              disabled={!always && !form.isDirty}
            >
              {act}
            </Button>
            {onCancel && (
              <Button kind="quiet" onClick={onCancel}>
                Cancel
              </Button>
            )}
            {more}
          </div>
        </>
      )}
    </form>
  )
}
