/** A range of amounts in one currency, in units rather than minor units. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import type { Json } from '../../../api/api-types.ts'
import { TextField } from '../../../kit/form/fields.tsx'
import { minorOf, typedAmount } from '../../../kit/values/amount.ts'
import { type Part, wordAt } from './draft-rule.ts'
import type { PartProps } from './part-props.ts'
import { faultAt } from './use-faults.ts'

export function AmountRange({ id, part, faults, set }: PartProps): JSX.Element {
  const typed = useSignal({
    currency: wordAt(part, 'currency'),
    from: initialText(part, 'fromMinor'),
    to: initialText(part, 'toMinor'),
  })
  const { currency, from, to } = typed.value
  const type = (changes: Partial<typeof typed.value>): void => {
    typed.value = { ...typed.value, ...changes }
    const code = typed.value.currency.trim().toUpperCase()
    set({ currency: code, fromMinor: minorTyped(typed.value.from, code), toMinor: minorTyped(typed.value.to, code) })
  }
  const errorOf = (text: string, name: string): string | null =>
    isAmount(text, currency) ? faultAt(faults, name) : 'Enter a valid amount in this currency.'
  return (
    <div class="amounts">
      <TextField
        label="From"
        optional
        inputMode="decimal"
        at={{ id: `${id}-from`, value: from, error: errorOf(from, 'fromMinor'), set: (text) => type({ from: text }) }}
      />
      <TextField
        label="Up to"
        optional
        hint="Included."
        inputMode="decimal"
        at={{ id: `${id}-to`, value: to, error: errorOf(to, 'toMinor'), set: (text) => type({ to: text }) }}
      />
      <TextField
        label="Currency"
        mono
        maxLength={10}
        at={{
          id: `${id}-currency`,
          value: currency,
          error: faultAt(faults, 'currency'),
          set: (text) => type({ currency: text }),
        }}
      />
    </div>
  )
}

function initialText(part: Part, name: string): string {
  const [minor, currency] = [wordAt(part, name), wordAt(part, 'currency')]
  const decimals = exponentOf(currency, cryptoExponents)
  return decimals === undefined || !/^\d+$/.test(minor) ? minor : typedAmount(minor, currency, decimals)
}

const isAmount = (text: string, currency: string): boolean =>
  text.trim() === '' || minorOf(text, currency.trim().toUpperCase()) !== null

/** An invalid amount is passed on as typed, and the service refuses it. */
function minorTyped(text: string, currency: string): Json {
  if (text.trim() === '') return null
  return minorOf(text, currency) ?? `${text} ${currency}`
}
