/** Asks for confirmation before an action that cannot be undone or that needs a reason. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Fault, Result } from '../../api/call.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { FaultView } from '../fault-view.tsx'
import { TextArea } from './fields.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** What will happen. */
  readonly children: ComponentChildren
  /** The label of the button: the action itself, not "OK". */
  readonly act: string
  readonly danger?: boolean
  readonly reason?: 'required' | 'optional'
  /** False while the consequences are not shown yet. */
  readonly isReady?: boolean
  /** A refusal is shown in the dialog, which stays open; success closes it. */
  readonly onConfirm: (reason: string) => Promise<Result<unknown>>
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps): JSX.Element {
  const { title, children, act, danger = false, reason, isReady = true, onConfirm, onClose } = props
  const text = useSignal('')
  const missing = useSignal(false)
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)

  const confirm = async (): Promise<void> => {
    missing.value = reason === 'required' && text.value.trim() === ''
    if (missing.value || busy.value || !isReady) return
    busy.value = true
    const result = await onConfirm(text.value.trim())
    busy.value = false
    if (result.ok) return onClose()
    fault.value = result.fault
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        {children}
        {reason && (
          <TextArea
            label="Reason"
            optional={reason === 'optional'}
            rows={3}
            at={{
              id: 'confirm-reason',
              value: text.value,
              error: missing.value ? 'Enter a reason. It is stored in the audit log.' : null,
              set: (value) => {
                text.value = value
              },
            }}
          />
        )}
        {fault.value && <FaultView fault={fault.value} />}
        <div class="form-actions">
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy.value} disabled={!isReady}>
            {act}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
