/** The request to resolve a difference, which a second person approves. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import type { Difference } from './settlement.ts'

interface ResolveDialogProps {
  readonly difference: Difference
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ResolveDialog({ difference, onDone, onClose }: ResolveDialogProps): JSX.Element {
  const { id } = difference
  const form = useForm({
    initial: { note: '', correct: false, records: false, reasonCode: '' },
    check: ({ note }) => ({ note: note.trim() === '' ? 'Enter how the difference was explained.' : null }),
    send: ({ note, correct, records, reasonCode }) => {
      const chargeback = records ? { reasonCode: reasonCode.trim() || null } : null
      const body = { note, correct: correct && !records, chargeback }
      return call('POST /settlements/differences/:differenceId/resolve', { params: { differenceId: id }, body })
    },
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
        {isMissingChargeback(difference) && (
          <CheckField
            label="Record chargeback"
            hint="Takes the amount from the merchant, reports it to the merchant, and opens the dispute, as if the acquirer had notified us."
            at={form.at('records')}
          />
        )}
        {form.at('records').value ? (
          <TextField
            label="Reason code"
            hint="As the acquirer states it, such as 1212 Fraud. Leave it empty if you do not know it."
            at={form.at('reasonCode')}
          />
        ) : (
          <CheckField
            label="Post the difference"
            hint="Books the amount to the account of differences, so that it is no longer owed or expected."
            at={form.at('correct')}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** Other rows have a payment of ours, which has its chargeback already, or none at all. */
const isMissingChargeback = ({ kind, rowKind, paymentId }: Difference): boolean =>
  kind === 'missing-here' && rowKind === 'chargeback' && paymentId !== null
