/** A new price list: its days, its rules, monthly fee and reserve. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useMidChoices } from '../../api/mids.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldGroup, FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { type FieldBinding, useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { minorOf } from '../../kit/values/amount.ts'
import { emptyRule, kinds, regions, ruleFault, ruleOf, shareOf, type TypedRule } from './typed-rule.ts'

interface AddDialogProps {
  readonly merchantId: string
  readonly onDone: () => void
  readonly onClose: () => void
}

interface Values {
  readonly validFrom: string
  readonly country: string
  readonly region: string
  readonly rules: readonly TypedRule[]
  readonly monthly: string
  readonly monthlyCurrency: string
  readonly reservePercent: string
  readonly reserveDays: string
}

const initial: Values = {
  validFrom: '',
  country: '',
  region: '',
  rules: [emptyRule],
  monthly: '',
  monthlyCurrency: 'EUR',
  reservePercent: '',
  reserveDays: '',
}

export function AddDialog({ merchantId, onDone, onClose }: AddDialogProps): JSX.Element {
  const form = useForm<Values, unknown>({
    initial,
    check: faultsOf,
    paths: { monthly: 'monthly', reservePercent: 'reserve.share', reserveDays: 'reserve.days' },
    send: (values) => call('POST /merchants/:merchantId/price-lists', { params: { merchantId }, body: bodyOf(values) }),
    onDone: () => {
      toast('Price list added.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Add price list" shape="wide" onClose={onClose}>
      <Form form={form} act="Add" onCancel={onClose}>
        <FieldRow>
          <TextField
            label="First day"
            type="date"
            hint="In UTC, after today. A merchant’s first list may begin today."
            at={form.at('validFrom')}
          />
          <TextField label="Merchant’s country" hint="Such as DE." maxLength={2} at={form.at('country')} />
        </FieldRow>
        <TextField label="Countries of its region" hint="Such as FR, IT." optional at={form.at('region')} />
        <Rules at={form.at('rules')} />
        <FieldGroup title="Monthly fee">
          <FieldRow>
            <TextField label="Amount" optional inputMode="decimal" at={form.at('monthly')} />
            <TextField label="Currency" suggest="currency" maxLength={3} at={form.at('monthlyCurrency')} />
          </FieldRow>
        </FieldGroup>
        <FieldGroup title="Reserve">
          <FieldRow>
            <TextField label="Per cent of sales" optional inputMode="decimal" at={form.at('reservePercent')} />
            <TextField label="Days" optional inputMode="numeric" at={form.at('reserveDays')} />
          </FieldRow>
        </FieldGroup>
      </Form>
    </Dialog>
  )
}

function faultsOf(values: Values) {
  const { validFrom, country, rules, monthly, monthlyCurrency, reservePercent, reserveDays } = values
  const hasReserve = reservePercent.trim() !== '' || reserveDays.trim() !== ''
  const isWrongAmount = monthly.trim() !== '' && minorOf(monthly, monthlyCurrency.trim().toUpperCase()) === null
  return {
    validFrom: validFrom === '' ? 'Enter the first day.' : null,
    country: /^[A-Za-z]{2}$/.test(country.trim()) ? null : 'Enter a country of two letters.',
    rules: rules.map((rule, index) => ruleFault(rule, index + 1)).find((fault) => fault !== null) ?? null,
    monthly: isWrongAmount ? `Enter an amount in ${monthlyCurrency}.` : null,
    reservePercent: hasReserve && !shareOf(reservePercent) ? 'Enter a share such as 5.' : null,
    reserveDays: hasReserve && !/^[1-9]\d{0,2}$/.test(reserveDays.trim()) ? 'Enter a number of days.' : null,
  }
}

function bodyOf({ validFrom, country, region, rules, monthly, monthlyCurrency, reservePercent, reserveDays }: Values) {
  const currency = monthlyCurrency.trim().toUpperCase()
  const amountMinor = monthly.trim() === '' ? null : minorOf(monthly, currency)
  return {
    validFrom,
    country: country.trim().toUpperCase(),
    region: region
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== ''),
    rules: rules.map(ruleOf),
    monthly: amountMinor === null ? [] : [{ currency, amountMinor }],
    reserve: reserveDays.trim() === '' ? null : { share: shareOf(reservePercent) ?? 0, days: Number(reserveDays) },
  }
}

function Rules({ at }: { readonly at: FieldBinding<readonly TypedRule[]> }): JSX.Element {
  const change = (index: number, rule: TypedRule): void => at.set(at.value.with(index, rule))
  return (
    <>
      {at.value.map((rule, index) => (
        <RuleFields
          key={index}
          id={`${at.id}-${index}`}
          number={index + 1}
          rule={rule}
          onChange={(changed) => change(index, changed)}
          onRemove={at.value.length === 1 ? null : () => at.set(at.value.toSpliced(index, 1))}
        />
      ))}
      {at.error !== null && (
        <p class="error" role="alert">
          {at.error}
        </p>
      )}
      <p>
        <Button onClick={() => at.set([...at.value, emptyRule])}>Add rule</Button>
      </p>
    </>
  )
}

interface RuleFieldsProps {
  readonly id: string
  readonly number: number
  readonly rule: TypedRule
  readonly onChange: (rule: TypedRule) => void
  readonly onRemove: (() => void) | null
}

const anyOf = <T extends string>(names: readonly T[]) => [
  { value: '' as const, text: 'Any' },
  ...names.map((value) => ({ value, text: value })),
]

function RuleFields({ id, number, rule, onChange, onRemove }: RuleFieldsProps): JSX.Element {
  const mids = useMidChoices()
  const at = <Name extends keyof TypedRule>(name: Name): FieldBinding<TypedRule[Name]> => ({
    id: `${id}-${name}`,
    value: rule[name],
    set: (value) => onChange({ ...rule, [name]: value }),
    error: null,
  })
  return (
    <FieldGroup title={`Rule ${number}`}>
      <FieldRow>
        <SelectField label="Kind" options={anyOf(kinds)} at={at('kind')} />
        <SelectField label="Region" options={anyOf(regions)} at={at('region')} />
      </FieldRow>
      <FieldRow>
        <SelectField label="MID" options={[{ value: '', text: 'Any' }, ...mids.choices]} at={at('midId')} />
        <TextField label="Network or brand" hint="Such as visa; empty for any." at={at('network')} />
      </FieldRow>
      <FieldRow>
        <TextField
          label="Currency"
          suggest="currency"
          hint="Empty for any, without amounts."
          maxLength={10}
          at={at('currency')}
        />
        <TextField label="From amount" inputMode="decimal" at={at('from')} />
        <TextField label="Up to amount" inputMode="decimal" at={at('to')} />
      </FieldRow>
      <FieldRow>
        <TextField label="Fixed fee" inputMode="decimal" at={at('fixed')} />
        <TextField label="Per cent" inputMode="decimal" at={at('percent')} />
        <TextField label="At least" inputMode="decimal" at={at('minimum')} />
      </FieldRow>
      {onRemove && (
        <Button small onClick={onRemove}>
          Remove rule {number}
        </Button>
      )}
    </FieldGroup>
  )
}
