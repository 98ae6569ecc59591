/** Records a chargeback that the acquirer reported to a person instead of to the service. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldRow, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { amountFault, minorOf, typedAmount } from '../../kit/values/amount.ts'
import type { CommandProps } from './command-props.ts'
import { placeOf } from './details.ts'

export function ChargebackDialog({ details: { payment }, onDone, onClose }: CommandProps): JSX.Element {
  const { currency, amountDecimals, capturedMinor, chargedBackMinor } = payment
  const left = String(BigInt(capturedMinor) - BigInt(chargedBackMinor))
  const missing = (text: string, words: string): string | null => (text.trim() === '' ? words : null)
  const form = useForm({
    initial: { reference: '', amount: typedAmount(left, currency, amountDecimals), bankDate: '', reasonCode: '' },
    check: ({ reference, amount, bankDate, reasonCode }) => ({
      reference: missing(reference, 'Enter the acquirer’s reference.'),
      amount: amountFault(amount, currency, left, amountDecimals),
      bankDate: missing(bankDate, 'Enter the date of the chargeback.'),
      reasonCode: missing(reasonCode, 'Enter the acquirer’s reason code.'),
    }),
    paths: { amount: 'amountMinor' },
    send: ({ amount, ...rest }) =>
      call('POST /merchants/:merchantId/payments/:paymentId/chargeback', {
        params: placeOf(payment),
        body: { ...rest, amountMinor: minorOf(amount, currency, amountDecimals) ?? '' },
      }),
    onDone: () => {
      toast('Chargeback recorded. The merchant receives a callback.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Record chargeback" onClose={onClose}>
      <Form form={form} act="Record chargeback" danger onCancel={onClose}>
        <p>
          The payment becomes CHARGEBACK, ledger entries are written and the merchant receives a callback. This cannot
          be undone.
        </p>
        <TextField
          label="Acquirer’s reference"
          hint="The same reference is counted only once."
          maxLength={100}
          at={form.at('reference')}
        />
        <FieldRow>
          <TextField label={`Amount in ${currency}`} inputMode="decimal" at={form.at('amount')} />
          <TextField label="Bank date" type="date" at={form.at('bankDate')} />
        </FieldRow>
        <TextField
          label="Reason"
          placeholder="4837 No cardholder authorisation"
          maxLength={100}
          at={form.at('reasonCode')}
        />
      </Form>
    </Dialog>
  )
}
