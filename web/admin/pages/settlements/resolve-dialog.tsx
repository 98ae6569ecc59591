/** The request to resolve a difference, which a second person approves. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextArea } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import type { Difference } from './settlement.ts'

interface ResolveDialogProps {
  readonly difference: Difference
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ResolveDialog({ difference: { id }, onDone, onClose }: ResolveDialogProps): JSX.Element {
  const form = useForm({
    initial: { note: '', correct: false },
    check: ({ note }) => ({ note: note.trim() === '' ? 'Enter how the difference was explained.' : null }),
    send: (body) => call('POST /settlements/differences/:differenceId/resolve', { params: { differenceId: id }, body }),
    onDone: () => {
      toast('The resolution is waiting for approval.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Resolve difference" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <TextArea label="Note" rows={3} at={form.at('note')} />
        <CheckField
          label="Post the difference"
          hint="Books the amount to the account of differences, so that it is no longer owed or expected."
          at={form.at('correct')}
        />
      </Form>
    </Dialog>
  )
}
