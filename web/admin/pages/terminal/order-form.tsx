/** The first step: what is paid, by whom. */
import type { JSX } from 'preact'
import { countries } from '#domain/place/country.ts'
import { call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { minorOf } from '../../kit/values/amount.ts'
import { mode } from '../../session/mode.ts'
import type { Opened } from './terminal-steps.ts'

const initial = {
  merchantId: '',
  amount: '',
  currency: 'EUR',
  kind: 'sale' as 'sale' | 'auth',
  motoType: 'phone_moto' as 'phone_moto' | 'email_moto',
  orderNumber: '',
  description: '',
  name: '',
  email: '',
  address: '',
  zip: '',
  city: '',
  country: '',
}

type Values = typeof initial

export function OrderForm({ onOpened }: { readonly onOpened: (opened: Opened) => void }): JSX.Element {
  const merchants = useMerchants()
  const form = useForm({
    initial,
    paths: {
      amount: 'amountMinor',
      name: 'payer.name',
      email: 'payer.email',
      address: 'payer.address',
      zip: 'payer.zip',
      city: 'payer.city',
      country: 'payer.country',
    },
    check: ({ merchantId, amount, currency, description, name }) => ({
      merchantId: merchantId === '' && merchants.list.length !== 1 ? 'Select a merchant.' : null,
      amount: minorOf(amount, codeOf(currency)) === null ? 'Enter an amount such as 10.00.' : null,
      currency: codeOf(currency) === '' ? 'Enter a currency such as EUR.' : null,
      description: description.trim().length < 2 ? 'Enter a description.' : null,
      name: name.trim().length < 2 ? 'Enter the payer’s name.' : null,
    }),
    send: (values) => openTerminal(values, values.merchantId || (merchants.list[0]?.id ?? '')),
    onDone: (opened) => onOpened(opened),
    guards: false,
  })
  return (
    <Form form={form} act="Continue to card">
      {merchants.list.length !== 1 && (
        <SelectField
          label="Merchant"
          at={form.at('merchantId')}
          options={[{ value: '', text: 'Select a merchant' }, ...merchants.choices]}
        />
      )}
      <FieldRow>
        <TextField label="Amount" inputMode="decimal" at={form.at('amount')} />
        <TextField label="Currency" mono maxLength={10} at={form.at('currency')} />
      </FieldRow>
      <FieldRow>
        <SelectField
          label="Charge"
          at={form.at('kind')}
          options={[
            { value: 'sale', text: 'Sale: charge now' },
            { value: 'auth', text: 'Authorisation: capture later' },
          ]}
        />
        <SelectField
          label="Order by"
          at={form.at('motoType')}
          options={[
            { value: 'phone_moto', text: 'Telephone' },
            { value: 'email_moto', text: 'Mail' },
          ]}
        />
      </FieldRow>
      <FieldRow>
        <TextField label="Description" maxLength={1024} at={form.at('description')} />
        <TextField
          label="Order number"
          optional
          hint="Leave empty to create a number."
          maxLength={255}
          at={form.at('orderNumber')}
        />
      </FieldRow>
      <FieldGroup title="Payer">
        <FieldRow>
          <TextField label="Name" maxLength={255} at={form.at('name')} />
          <TextField label="E-mail address" type="email" optional hint="For the receipt." at={form.at('email')} />
        </FieldRow>
        <TextField label="Billing address" optional maxLength={255} at={form.at('address')} />
        <FieldRow>
          <TextField label="Postcode" optional maxLength={10} at={form.at('zip')} />
          <TextField label="City" optional maxLength={40} at={form.at('city')} />
          <SelectField label="Country" optional at={form.at('country')} options={countryChoices()} />
        </FieldRow>
      </FieldGroup>
    </Form>
  )
}

async function openTerminal(values: Values, merchantId: string) {
  const { amount, currency: typed, kind, motoType, orderNumber, description, name, email, ...address } = values
  const currency = codeOf(typed)
  const auth = kind === 'auth'
  const amountMinor = minorOf(amount, currency) ?? ''
  const { zip, city, country } = address
  const result = await call('POST /merchants/:merchantId/terminal', {
    params: { merchantId },
    body: {
      mode: mode.value,
      motoType,
      auth,
      amountMinor,
      currency,
      orderNumber: orderNumber.trim() === '' ? null : orderNumber.trim(),
      description: description.trim(),
      payer: {
        name: name.trim(),
        ...fill({ email, address: address.address, zip, city, country }),
      },
    },
  })
  if (!result.ok) return result
  const order = { merchantId, amountMinor, currency, auth, payerName: name.trim(), email: email.trim() }
  return { ok: true as const, value: { ...result.value, ...order } }
}

/** Empty fields are not sent. */
const fill = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
  )

const codeOf = (typed: string): string => typed.trim().toUpperCase()

function countryChoices() {
  const names = new Intl.DisplayNames(undefined, { type: 'region' })
  const choices = [...countries].map((code) => ({ value: code, text: names.of(code) ?? code }))
  return [{ value: '', text: 'Not known' }, ...choices.toSorted((one, other) => one.text.localeCompare(other.text))]
}
