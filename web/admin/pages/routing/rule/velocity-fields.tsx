/** The limit of a velocity: payments, or an amount in one currency, in units rather than minor units. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { TextField } from '../../../kit/form/fields.tsx'
import type { PartProps } from './part-props.ts'
import { faultAt } from './use-faults.ts'
import { limitFault, limitFrom, type TypedLimit, typedLimit } from './velocity-limit.ts'

export function VelocityFields({ id, part, faults, set }: PartProps): JSX.Element {
  const typed = useSignal(typedLimit(part))
  const { most, currency } = typed.value
  const type = (changes: Partial<TypedLimit>): void => {
    typed.value = { ...typed.value, ...changes }
    set(limitFrom(typed.value))
  }
  return (
    <div class="amounts">
      <TextField
        label="More than"
        hint={currency.trim() === '' ? 'Payments.' : `An amount in ${currency.trim().toUpperCase()}.`}
        inputMode="decimal"
        at={{
          id: `${id}-most`,
          value: most,
          error: limitFault(typed.value) ?? faultAt(faults, 'moreThan'),
          set: (text) => type({ most: text }),
        }}
      />
      <TextField
        label="Currency"
        optional
        hint="Enter none to count payments."
        suggest="currency"
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
