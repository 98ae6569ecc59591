/** Creates a payment link. */
import type { JSX } from 'preact'
import type { LinkUses } from '#domain/checkout/payment-link.ts'
import { type LanguageCode, languages } from '#domain/place/language.ts'
import { type Answer, call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldRow, SelectField, TextArea, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { minorOf } from '../../kit/values/amount.ts'
import { instantOf } from '../../kit/values/instants.ts'
import { mode } from '../../session/mode.ts'
import { membersOf } from './typed-metadata.ts'

type Created = Answer<'POST /merchants/:merchantId/payment-links'>

interface Values {
  readonly merchantId: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly uses: LinkUses
  readonly orderNumber: string
  readonly language: LanguageCode | ''
  readonly expires: string
  readonly metadata: string
}

interface LinkDialogProps {
  readonly onDone: (link: Created) => void
  readonly onClose: () => void
}

export function LinkDialog({ onDone, onClose }: LinkDialogProps): JSX.Element {
  const merchants = useMerchants()
  const [only] = merchants.list.length === 1 ? merchants.list : []
  const initial: Values = {
    merchantId: only?.id ?? '',
    amount: '',
    currency: 'EUR',
    description: '',
    uses: 'single',
    orderNumber: '',
    language: '',
    expires: '',
    metadata: '',
  }
  const form = useForm<Values, Created>({
    initial,
    guards: false,
    paths: { amount: 'amountMinor', expires: 'expiresAt' },
    check: ({ merchantId, amount, currency, description, expires, metadata }) => ({
      merchantId: merchantId === '' ? 'Select a merchant.' : null,
      amount:
        amount.trim() !== '' && minorOf(amount, codeOf(currency)) === null ? 'Enter an amount such as 10.00.' : null,
      currency: codeOf(currency) === '' ? 'Enter a currency such as EUR.' : null,
      description: description.trim().length < 2 ? 'Enter a description. The payer sees it.' : null,
      expires: expires !== '' && instantOf(expires) === undefined ? 'Enter a date and time.' : null,
      metadata: membersOf(metadata) === null ? 'Write one value per line, such as customer=42.' : null,
    }),
    send: ({ merchantId, amount, currency, description, uses, orderNumber, language, expires, metadata }) =>
      call('POST /merchants/:merchantId/payment-links', {
        params: { merchantId },
        body: {
          mode: mode.value,
          amountMinor: amount.trim() === '' ? null : minorOf(amount, codeOf(currency)),
          currency: codeOf(currency),
          description: description.trim(),
          uses,
          orderNumber: uses === 'many' || orderNumber.trim() === '' ? null : orderNumber.trim(),
          language: language === '' ? null : language,
          metadata: metadata.trim() === '' ? null : membersOf(metadata),
          expiresAt: instantOf(expires) ?? null,
        },
      }),
    onDone: (link) => {
      toast('Payment link created.')
      onDone(link)
    },
  })
  return (
    <Dialog title="Create payment link" onClose={onClose}>
      <Form form={form} act="Create link" onCancel={onClose} always>
        <SelectField
          label="Merchant"
          at={form.at('merchantId')}
          options={[{ value: '', text: 'Select a merchant' }, ...merchants.choices]}
        />
        <FieldRow>
          <TextField
            label="Amount"
            optional
            inputMode="decimal"
            hint="Leave empty to let the payer choose it."
            at={form.at('amount')}
          />
          <TextField label="Currency" suggest="currency" mono maxLength={10} at={form.at('currency')} />
        </FieldRow>
        <TextField label="Description" hint="Shown to the payer." maxLength={1024} at={form.at('description')} />
        <SelectField
          label="Payments"
          at={form.at('uses')}
          options={[
            { value: 'single', text: 'One payment' },
            { value: 'many', text: 'Any number of payments' },
          ]}
        />
        {form.values.uses === 'single' && (
          <TextField label="Order number" optional maxLength={255} at={form.at('orderNumber')} />
        )}
        <FieldRow>
          <SelectField
            label="Language"
            at={form.at('language')}
            options={[
              { value: '', text: 'Of the payer’s browser' },
              ...languages.map(({ code, name }) => ({ value: code, text: name })),
            ]}
          />
          <TextField label="Expires" optional type="datetime-local" at={form.at('expires')} />
        </FieldRow>
        <TextArea
          label="Metadata"
          optional
          rows={2}
          hint="One value per line, such as customer=42. Callbacks return it as custom_data."
          at={form.at('metadata')}
        />
      </Form>
    </Dialog>
  )
}

const codeOf = (typed: string): string => typed.trim().toUpperCase()
