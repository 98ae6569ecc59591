/** Prepares a run of the newest statements in a currency; a second person approves it. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldRow, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'

interface PrepareDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function PrepareDialog({ onDone, onClose }: PrepareDialogProps): JSX.Element {
  const form = useForm({
    initial: { currency: 'EUR', executeOn: '', holder: '', number: '', bic: '', reason: '' },
    check: ({ executeOn, holder, number, reason }) => ({
      executeOn: executeOn === '' ? 'Enter the day of execution.' : null,
      holder: holder.trim() === '' ? 'Enter the holder of your account.' : null,
      number: number.trim() === '' ? 'Enter your IBAN or account number.' : null,
      reason: reason.trim() === '' ? 'Say what the run is for.' : null,
    }),
    paths: { holder: 'from.holder', number: 'from.number', bic: 'from.bic' },
    send: ({ currency, executeOn, holder, number, bic, reason }) =>
      call('POST /payout-runs', {
        body: {
          currency: currency.trim().toUpperCase(),
          executeOn,
          from: { holder, number, bic: bic.trim() === '' ? null : bic },
          reason,
        },
      }),
    onDone: () => {
      toast('Run prepared. A second person approves it under Approvals.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Prepare payout run" onClose={onClose}>
      <Form form={form} act="Request approval" onCancel={onClose}>
        <p>
          Pays the newest statement of every merchant with a bank account in this currency, unless it is paid already.
        </p>
        <FieldRow>
          <TextField label="Currency" suggest="currency" at={form.at('currency')} maxLength={3} />
          <TextField label="Day of execution" type="date" at={form.at('executeOn')} />
        </FieldRow>
        <TextField label="Your account’s holder" at={form.at('holder')} />
        <TextField label="Your IBAN or account number" mono at={form.at('number')} />
        <TextField label="Your bank’s BIC" optional mono at={form.at('bic')} />
        <TextArea label="Reason" rows={2} at={form.at('reason')} />
      </Form>
    </Dialog>
  )
}
