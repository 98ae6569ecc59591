/** The merchant settings that only the operator may change. */
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { refreshMerchants } from '../../api/merchants.ts'
import {
  CheckField,
  type Choice,
  FieldGroup,
  FieldRow,
  SelectField,
  TextArea,
  TextField,
} from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { timeZoneChoices } from '../../kit/form/time-zones.ts'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { may } from '../../session/session.ts'
import { commissionFault, commissionFrom, commissionText } from './commission.ts'
import type { MerchantView } from './view.ts'

type Merchant = MerchantView['merchant']

interface GeneralSectionProps {
  readonly view: MerchantView
  readonly onSaved: () => void
}

export function GeneralSection({ view: { merchant }, onSaved }: GeneralSectionProps): JSX.Element {
  return (
    <Section>
      <KeyValues
        rows={[
          ['Name', <span class="mono">{merchant.name}</span>],
          ['Identifier', <span class="mono">{merchant.id}</span>],
        ]}
      />
      <GeneralForm merchant={merchant} onSaved={onSaved} />
    </Section>
  )
}

interface Values {
  readonly title: string
  readonly status: Merchant['status']
  readonly testOnly: boolean
  readonly mpiService: Merchant['mpiService']
  readonly defaultCurrency: string
  readonly timeZone: string
  readonly ratePerSecond: string
  readonly vatPercent: string
  readonly debitCommission: string
}

function GeneralForm({
  merchant,
  onSaved,
}: {
  readonly merchant: Merchant
  readonly onSaved: () => void
}): JSX.Element {
  const form = useForm<Values, Answer<'PATCH /merchants/:merchantId'>>({
    initial: valuesOf(merchant),
    check: ({ debitCommission }) => ({ debitCommission: commissionFault(debitCommission) }),
    send: (values) =>
      call('PATCH /merchants/:merchantId', { params: { merchantId: merchant.id }, body: bodyOf(values) }),
    onDone: () => {
      toast('Saved.')
      void refreshMerchants()
      onSaved()
    },
  })
  return (
    <Form form={form} act="Save" always={false} readOnly={!may('merchants.write')}>
      <FieldRow>
        <TextField label="Title" at={form.at('title')} maxLength={100} />
        <SelectField
          label="Status"
          hint="A blocked merchant’s requests are refused."
          at={form.at('status')}
          options={statuses}
        />
      </FieldRow>
      <CheckField label="Test only" hint="The live key is refused." at={form.at('testOnly')} />
      <FieldGroup title="Payments">
        <FieldRow>
          <SelectField label="3-D Secure service" at={form.at('mpiService')} options={services} />
          <TextField
            label="Default currency"
            suggest="currency"
            optional
            mono
            maxLength={3}
            at={form.at('defaultCurrency')}
          />
          <SelectField label="Time zone" at={form.at('timeZone')} options={timeZoneChoices(form.values.timeZone)} />
        </FieldRow>
        <FieldRow>
          <TextField
            label="Requests per second"
            optional
            inputMode="numeric"
            hint="Leave empty for the instance’s limit."
            at={form.at('ratePerSecond')}
          />
          <TextField label="VAT in percent" optional inputMode="decimal" at={form.at('vatPercent')} />
        </FieldRow>
        <TextArea
          label="Commission on debits"
          optional
          mono
          rows={3}
          hint="One currency per line: code, fixed amount and percentage, such as EUR 0.30 1.5"
          at={form.at('debitCommission')}
        />
      </FieldGroup>
    </Form>
  )
}

const statuses: readonly Choice<Merchant['status']>[] = [
  { value: 'active', text: 'Active' },
  { value: 'blocked', text: 'Blocked' },
]

const services: readonly Choice<Merchant['mpiService']>[] = [
  { value: 'none', text: 'None: only that of the acquirer' },
  { value: 'sandbox', text: 'Sandbox' },
  { value: 'external', text: 'External server' },
]

const valuesOf = (merchant: Merchant): Values => ({
  title: merchant.title,
  status: merchant.status,
  testOnly: merchant.testOnly,
  mpiService: merchant.mpiService,
  defaultCurrency: merchant.defaultCurrency ?? '',
  timeZone: merchant.timeZone,
  ratePerSecond: merchant.ratePerSecond === null ? '' : String(merchant.ratePerSecond),
  vatPercent: merchant.vatPercent ?? '',
  debitCommission: commissionText(merchant.debitCommission),
})

const bodyOf = (values: Values) => ({
  title: values.title.trim(),
  status: values.status,
  testOnly: values.testOnly,
  mpiService: values.mpiService,
  defaultCurrency: values.defaultCurrency.trim().toUpperCase() || null,
  timeZone: values.timeZone.trim(),
  ratePerSecond: values.ratePerSecond.trim() === '' ? null : Number(values.ratePerSecond),
  vatPercent: values.vatPercent.trim() || null,
  debitCommission: commissionFrom(values.debitCommission),
})
