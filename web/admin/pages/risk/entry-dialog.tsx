/** Adds an entry to a risk list. A card is never typed: its fingerprint is taken from a payment. */
import type { JSX } from 'preact'
import { type RiskKind, type RiskList, riskKinds } from '#domain/risk/risk-entry.ts'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { instantOf } from '../../kit/values/instants.ts'
import { kindChoices, listChoices, listTitle } from './titles.ts'

interface Values {
  readonly list: RiskList
  readonly kind: RiskKind
  readonly value: string
  readonly paymentMerchant: string
  readonly paymentId: string
  readonly merchantId: string
  readonly reason: string
  readonly expires: string
}

interface EntryDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function EntryDialog({ onDone, onClose }: EntryDialogProps): JSX.Element {
  const merchants = useMerchants()
  const initial: Values = {
    list: 'block',
    kind: 'email',
    value: '',
    paymentMerchant: '',
    paymentId: '',
    merchantId: '',
    reason: '',
    expires: '',
  }
  const form = useForm<Values, Answer<'POST /risk-entries'>>({
    initial,
    guards: false,
    paths: { expires: 'expiresAt', paymentId: 'payment.paymentId', paymentMerchant: 'payment.merchantId' },
    check: ({ kind, value, paymentMerchant, paymentId, reason }) => ({
      value: kind !== 'card' && value.trim() === '' ? `Enter ${riskKinds[kind][1]}.` : null,
      paymentMerchant: kind === 'card' && paymentMerchant === '' ? 'Select a merchant.' : null,
      paymentId: kind === 'card' && paymentId.trim() === '' ? 'Enter the id of a payment with this card.' : null,
      reason: reason.trim() === '' ? 'Enter a reason.' : null,
    }),
    send: (values) => {
      const isCard = values.kind === 'card'
      return call('POST /risk-entries', {
        body: {
          merchantId: values.merchantId || null,
          list: values.list,
          kind: values.kind,
          value: isCard ? null : values.value.trim(),
          payment: isCard ? { merchantId: values.paymentMerchant, paymentId: values.paymentId.trim() } : null,
          reason: values.reason.trim(),
          expiresAt: instantOf(values.expires) ?? null,
        },
      })
    },
    onDone: ({ list }) => {
      toast(`Added to the list “${listTitle(list)}”.`)
      onDone()
      onClose()
    },
  })
  const { kind } = form.values
  return (
    <Dialog title="Add entry" onClose={onClose}>
      <Form form={form} act="Add entry" onCancel={onClose} always>
        <SelectField label="List" at={form.at('list')} options={listChoices} />
        <SelectField label="Kind" at={form.at('kind')} options={kindChoices} />
        {kind === 'card' ? (
          <>
            <SelectField
              label="Merchant of the payment"
              at={form.at('paymentMerchant')}
              options={[{ value: '', text: 'Select a merchant' }, ...merchants.choices]}
            />
            <TextField
              label="Payment id"
              mono
              hint="Matches the card of this payment, with any expiry date and at any merchant."
              at={form.at('paymentId')}
            />
          </>
        ) : (
          <TextField label="Value" mono maxLength={255} hint={`Enter ${riskKinds[kind][1]}.`} at={form.at('value')} />
        )}
        <SelectField
          label="Applies to"
          at={form.at('merchantId')}
          options={[{ value: '', text: 'All merchants' }, ...merchants.choices]}
        />
        <TextArea label="Reason" rows={2} hint="Shown in the explanation of a payment." at={form.at('reason')} />
        <TextField label="Expires" optional type="datetime-local" at={form.at('expires')} />
      </Form>
    </Dialog>
  )
}
