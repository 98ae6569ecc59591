/** Closes a period for all merchants, or for one. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'

interface CloseDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Values {
  readonly lastDay: string
  readonly merchantId: string
}

export function CloseDialog({ onDone, onClose }: CloseDialogProps): JSX.Element {
  const merchants = useMerchants()
  const form = useForm<Values, Answer<'POST /statements'>>({
    initial: { lastDay: '', merchantId: '' },
    check: ({ lastDay }) => ({ lastDay: lastDay === '' ? 'Enter the last day of the period.' : null }),
    send: ({ lastDay, merchantId }) =>
      call('POST /statements', { body: { lastDay, merchantId: merchantId === '' ? null : merchantId } }),
    onDone: ({ closed }) => {
      toast(
        closed === 0
          ? 'Nothing to close up to this day.'
          : `Statements closed: ${new Intl.NumberFormat().format(closed)}.`,
      )
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Close period" onClose={onClose}>
      <Form form={form} act="Close period" onCancel={onClose}>
        <TextField
          label="Last day"
          type="date"
          hint="A day in UTC that ended at least one hour ago. A closed statement cannot be changed."
          at={form.at('lastDay')}
        />
        <SelectField
          label="Merchant"
          options={[{ value: '', text: 'All merchants' }, ...merchants.choices]}
          at={form.at('merchantId')}
        />
      </Form>
    </Dialog>
  )
}
