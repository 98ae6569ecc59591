/** All settings of a MID, with the names of chapter 50 §1. */

import type { JSX } from 'preact'
import { cardNetworks } from '#domain/card.ts'
import { pagePayerFields } from '#domain/checkout/payer-fields.ts'
import { type MidAction, midActions, type Wallet, wallets } from '#domain/mid.ts'
import { type Answer, call } from '../../api/call.ts'
import { CheckField, type Choice, FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import { timeZoneChoices } from '../../kit/form/time-zones.ts'
import { type FormState, useForm } from '../../kit/form/use-form.ts'
import { splitList } from '../../kit/values/split-list.ts'
import { may } from '../../session/session.ts'
import { walletTitle } from '../payments/method.ts'
import { AmountLimits } from './amount-limits.tsx'
import { type AmountRow, amountRows, countText, limitFrom, rowsFault } from './typed-settings.ts'

type Mid = Answer<'GET /mids/:midId'>

type PaymentMode = Mid['paymentMode']
type Target = '' | '_blank' | '_self' | '_parent' | '_top'

interface Values {
  readonly enabled: boolean
  readonly paymentMode: PaymentMode
  readonly cards: boolean
  readonly networks: readonly string[]
  readonly currencies: string
  readonly brands: string
  readonly actions: readonly string[]
  readonly wallets: readonly string[]
  readonly payerFields: readonly string[]
  readonly motoEnabled: boolean
  readonly cardOnFileEnabled: boolean
  readonly zeroAmount: boolean
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  readonly overrideLinkTarget: Target
  readonly descriptor: string
  readonly amounts: readonly AmountRow[]
  readonly dayCount: string
  readonly monthCount: string
  readonly cutOff: string
  readonly timeZone: string
  readonly autoCaptureHours: string
}

export function SettingsForm({ mid, onSaved }: { readonly mid: Mid; readonly onSaved: () => void }): JSX.Element {
  const form = useForm<Values, Answer<'PATCH /mids/:midId'>>({
    initial: valuesOf(mid),
    paths: {
      amounts: 'dayLimit.amounts',
      dayCount: 'dayLimit.count',
      monthCount: 'monthLimit.count',
    },
    check: ({ amounts }) => ({ amounts: rowsFault(amounts) }),
    send: (values) => call('PATCH /mids/:midId', { params: { midId: mid.id }, body: bodyOf(values) }),
    onDone: onSaved,
  })
  const isFixed = !may('mids.write')
  return (
    <Form form={form} act="Save">
      <fieldset class="plain-group" disabled={isFixed}>
        <CheckField label="Enabled" hint="A disabled MID accepts no new payments." at={form.at('enabled')} />
        <AcceptanceFields form={form} />
        <Capabilities form={form} />
        <Limits form={form} />
        <Days form={form} />
      </fieldset>
    </Form>
  )
}

interface PartProps {
  readonly form: FormState<Values>
}

const AcceptanceFields = ({ form }: PartProps): JSX.Element => (
  <FieldGroup title="Accepted payments">
    <FieldRow>
      <SelectField
        label="Payment mode"
        hint="SMS charges immediately, DMS authorises only, SMS/DMS follows the request."
        at={form.at('paymentMode')}
        options={paymentModes}
      />
      <TextField
        label="Currencies"
        hint="Codes separated by commas. Leave empty for all that the connector supports."
        mono
        at={form.at('currencies')}
      />
      <TextField
        label="Brands"
        hint="Codes separated by commas. Leave empty for all that the connector supports."
        mono
        at={form.at('brands')}
      />
    </FieldRow>
    <CheckField
      label="Cards"
      hint="Turn off for an account that accepts alternative methods only."
      at={form.at('cards')}
    />
    <MultiSelect label="Card networks" none="all" at={form.at('networks')} options={cardNetworks.map(asChoice)} />
    <MultiSelect label="Actions" at={form.at('actions')} options={midActions.map(asChoice)} />
    <MultiSelect
      label="Wallets"
      at={form.at('wallets')}
      options={wallets.map((wallet) => ({ value: wallet, text: walletTitle(wallet) }))}
    />
    <MultiSelect
      label="Payer fields"
      hint="What the hosted page asks card payers for, in addition to the mapping’s fields."
      none="only the card and its holder’s name"
      at={form.at('payerFields')}
      options={pagePayerFields.map(asChoice)}
    />
  </FieldGroup>
)

const Capabilities = ({ form }: PartProps): JSX.Element => (
  <FieldGroup title="Capabilities" hint="Each applies only if the connector supports it.">
    <CheckField label="MOTO" at={form.at('motoEnabled')} />
    <CheckField label="Card-on-File" at={form.at('cardOnFileEnabled')} />
    <CheckField label="Zero amounts" at={form.at('zeroAmount')} />
    <CheckField label="Card flow of wallets" at={form.at('cardFlow')} />
    <CheckField label="Accepts decrypted wallet data" at={form.at('acceptsDecrypted')} />
    <FieldRow>
      <SelectField
        label="Override link target"
        hint="Where the payer’s browser opens redirects. Overrides the request."
        at={form.at('overrideLinkTarget')}
        options={targets}
      />
      <TextField
        label="Descriptor"
        hint="Shown on the payer’s card statement."
        at={form.at('descriptor')}
        maxLength={100}
      />
    </FieldRow>
  </FieldGroup>
)

const Limits = ({ form }: PartProps): JSX.Element => (
  <FieldGroup
    title="Limits"
    hint="Payments are counted in all currencies together, amounts in each currency separately. Leave empty for no limit."
  >
    <FieldRow>
      <TextField label="Payments per day" inputMode="numeric" at={form.at('dayCount')} />
      <TextField label="Payments per month" inputMode="numeric" at={form.at('monthCount')} />
    </FieldRow>
    <AmountLimits at={form.at('amounts')} longer="month" />
  </FieldGroup>
)

const Days = ({ form }: PartProps): JSX.Element => (
  <FieldGroup title="Days">
    <FieldRow>
      <TextField label="Financial day starts at" hint="Such as 23:30." at={form.at('cutOff')} />
      <SelectField label="Time zone" at={form.at('timeZone')} options={timeZoneChoices(form.values.timeZone)} />
      <TextField
        label="Automatic capture after"
        optional
        inputMode="numeric"
        hint="Hours after the authorisation. Leave empty to wait for the merchant."
        at={form.at('autoCaptureHours')}
      />
    </FieldRow>
  </FieldGroup>
)

const asChoice = (value: string): Choice => ({ value, text: value })

const paymentModes: readonly Choice<PaymentMode>[] = [
  { value: 'SMS/DMS', text: 'SMS/DMS' },
  { value: 'SMS', text: 'SMS' },
  { value: 'DMS', text: 'DMS' },
]

const targets: readonly Choice<Target>[] = [
  { value: '', text: 'Not set' },
  { value: '_top', text: '_top' },
  { value: '_parent', text: '_parent' },
  { value: '_self', text: '_self' },
  { value: '_blank', text: '_blank' },
]

function valuesOf(mid: Mid): Values {
  return {
    ...mid,
    currencies: mid.currencies.join(', '),
    brands: mid.brands.join(', '),
    overrideLinkTarget: targets.find(({ value }) => value === mid.overrideLinkTarget)?.value ?? '',
    amounts: amountRows(mid.dayLimit, mid.monthLimit),
    dayCount: countText(mid.dayLimit),
    monthCount: countText(mid.monthLimit),
    autoCaptureHours: mid.autoCaptureHours === null ? '' : String(mid.autoCaptureHours),
  }
}

function bodyOf(values: Values) {
  return {
    enabled: values.enabled,
    paymentMode: values.paymentMode,
    cards: values.cards,
    networks: [...values.networks],
    currencies: splitList(values.currencies.toUpperCase()),
    brands: splitList(values.brands),
    actions: midActions.filter((action: MidAction) => values.actions.includes(action)),
    wallets: wallets.filter((wallet: Wallet) => values.wallets.includes(wallet)),
    payerFields: pagePayerFields.filter((field) => values.payerFields.includes(field)),
    motoEnabled: values.motoEnabled,
    cardOnFileEnabled: values.cardOnFileEnabled,
    zeroAmount: values.zeroAmount,
    cardFlow: values.cardFlow,
    acceptsDecrypted: values.acceptsDecrypted,
    overrideLinkTarget: values.overrideLinkTarget === '' ? null : values.overrideLinkTarget,
    descriptor: values.descriptor,
    dayLimit: limitFrom(values.amounts, 'day', values.dayCount),
    monthLimit: limitFrom(values.amounts, 'longer', values.monthCount),
    cutOff: values.cutOff.trim(),
    timeZone: values.timeZone.trim(),
    autoCaptureHours: values.autoCaptureHours.trim() === '' ? null : Number(values.autoCaptureHours),
  }
}
