/** How a hypothetical payment would be routed, and why. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cardNetworks } from '#domain/card.ts'
import { type Answer, call } from '../../../api/call.ts'
import { useMerchants } from '../../../api/merchants.ts'
import { Badge } from '../../../kit/badge.tsx'
import { CheckField, type Choice, FieldRow, SelectField, TextArea, TextField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { type FormState, useForm } from '../../../kit/form/use-form.ts'
import { KeyValues } from '../../../kit/values/key-values.tsx'
import { mode } from '../../../session/mode.ts'
import type { DraftRule } from '../rule/draft-rule.ts'
import { Explanation } from './explanation.tsx'
import * as simulation from './simulation.ts'

type Simulation = Answer<'POST /routing/simulate'>

interface Values extends simulation.SimulationInput {
  readonly rules: 'here' | 'published'
}

interface SimulatePanelProps {
  readonly ruleSet: string
  readonly merchantId: string | null
  readonly rules: readonly DraftRule[]
}

export function SimulatePanel({ ruleSet, merchantId, rules }: SimulatePanelProps): JSX.Element {
  const merchants = useMerchants()
  const decision = useSignal<Simulation | null>(null)
  const form = useForm<Values, Simulation>({
    initial: { ...simulation.emptySimulation, merchantId: merchantId ?? '', mode: mode.value, rules: 'here' },
    guards: false,
    paths,
    check: simulation.typedFaults,
    send: (values) => {
      const chosenRules = values.rules === 'here' ? rules : 'published'
      return call('POST /routing/simulate', {
        body: { ruleSet, rules: chosenRules, payment: simulation.simulatedPaymentOf(values) },
      })
    },
    onDone: (answer) => {
      decision.value = answer
    },
  })
  return (
    <>
      <Form form={form} act="Simulate">
        <FieldRow>
          <SelectField
            label="Merchant"
            at={form.at('merchantId')}
            options={[{ value: '', text: 'Select' }, ...merchants.choices]}
          />
          <SelectField label="Rules" at={form.at('rules')} options={ruleChoices} />
        </FieldRow>
        <FieldRow>
          <TextField label="Amount" inputMode="decimal" at={form.at('amount')} />
          <TextField label="Currency" suggest="currency" mono maxLength={10} at={form.at('currency')} />
        </FieldRow>
        <TextField
          label="First digits of the card"
          hint="Six to eight digits, never the full number."
          optional
          inputMode="numeric"
          mono
          maxLength={8}
          at={form.at('bin')}
        />
        <details class="more-fields">
          <summary>More about the payment</summary>
          <div class="stack">
            <Request form={form} />
            <Method form={form} />
            <Circumstances form={form} />
          </div>
        </details>
      </Form>
      {decision.value && <DecisionView decision={decision.value} />}
    </>
  )
}

// biome-ignore format: a table is read in columns.
const paths = {
  // field          of the request
  merchantId:       'payment.merchantId',
  amount:           'payment.amountMinor',
  currency:         'payment.currency',
  bin:              'payment.bin',
  brand:            'payment.brand',
  network:          'payment.network',
  issuerCountry:    'payment.issuerCountry',
  payerCountry:     'payment.payerCountry',
  payerEmail:       'payment.payerEmail',
  payerIp:          'payment.payerIp',
  channel:          'payment.channel',
  customData:       'payment.customData',
  seed:             'payment.seed',
} as const

interface PartProps {
  readonly form: FormState<Values>
}

const Request = ({ form }: PartProps): JSX.Element => (
  <>
    <FieldRow>
      <SelectField label="Mode" at={form.at('mode')} options={asChoices(simulation.modes)} />
      <SelectField label="Protocol" at={form.at('protocol')} options={asChoices(simulation.protocols)} />
      <SelectField label="Kind" at={form.at('kind')} options={asChoices(simulation.kinds)} />
      <SelectField label="Recurring" at={form.at('recurring')} options={asChoices(simulation.chains)} />
      <SelectField label="Initiator" at={form.at('initiator')} options={asChoices(simulation.initiators)} />
      <SelectField label="MOTO type" at={form.at('motoType')} options={orNone(simulation.motoTypes)} />
    </FieldRow>
    <CheckField label="Authorise only (auth)" at={form.at('auth')} />
  </>
)

const Method = ({ form }: PartProps): JSX.Element => (
  <FieldRow>
    <SelectField label="Wallet" at={form.at('wallet')} options={orNone(simulation.wallets)} />
    <SelectField label="Number type" at={form.at('panType')} options={orNone(simulation.panTypes)} />
    <TextField label="Brand" optional mono at={form.at('brand')} />
    <SelectField label="Card network" at={form.at('network')} options={orNone(cardNetworks, 'by the digits')} />
    <SelectField label="Funding" at={form.at('funding')} options={orNone(simulation.fundings, 'by the digits')} />
    <TextField label="Issuer’s country" suggest="country" optional mono maxLength={2} at={form.at('issuerCountry')} />
  </FieldRow>
)

const Circumstances = ({ form }: PartProps): JSX.Element => (
  <>
    <FieldRow>
      <TextField label="Payer’s country" suggest="country" optional mono maxLength={2} at={form.at('payerCountry')} />
      <TextField label="Payer’s e-mail" optional at={form.at('payerEmail')} />
      <TextField label="Payer’s IP address" optional mono at={form.at('payerIp')} />
      <TextField label="Channel" optional mono maxLength={16} at={form.at('channel')} />
    </FieldRow>
    <TextField
      label="Time"
      hint="In your time zone. Leave empty for now."
      optional
      type="datetime-local"
      at={form.at('at')}
    />
    <TextField label="Payment’s id" hint="Determines random draws." optional mono maxLength={64} at={form.at('seed')} />
    <TextArea label="Custom data" hint="key=value, one per line." optional mono rows={2} at={form.at('customData')} />
  </>
)

const asChoices = <T extends string>(values: readonly T[]): readonly Choice<T>[] =>
  values.map((value) => ({ value, text: value }))

const orNone = <T extends string>(values: readonly T[], none = 'none'): readonly Choice<T | ''>[] => [
  { value: '', text: none },
  ...asChoices(values),
]

const ruleChoices: readonly Choice<Values['rules']>[] = [
  { value: 'here', text: 'as shown here' },
  { value: 'published', text: 'as published' },
]

function DecisionView({ decision }: { readonly decision: Simulation }): JSX.Element {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [decision])
  return (
    <section ref={element} class="stack" aria-label="Decision" aria-live="polite">
      <KeyValues
        rows={[
          ['Decision', <Result {...decision} />],
          ['3-D Secure', wishes[decision.threeDs ?? 'none']],
          ['Maximum MIDs to try', decision.maximumAttempts],
          ['An unknown outcome is', decision.recovery ?? 'not possible'],
        ]}
      />
      <Explanation sentences={decision.sentences} explanation={decision.explanation} />
    </section>
  )
}

const wishes = { require: 'required', skip: 'skipped', none: 'as the merchant asks' } as const

function Result({ result, midName }: Simulation): JSX.Element {
  if (result !== 'routed') return <Badge tone="bad">{result}</Badge>
  return (
    <>
      <Badge tone="good">routed</Badge> to <strong class="mono">{midName}</strong>
    </>
  )
}
