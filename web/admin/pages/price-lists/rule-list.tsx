/** The rules of a new price list, in their order. */
import type { JSX } from 'preact'
import { useMidChoices } from '../../api/mids.ts'
import { Button } from '../../kit/button.tsx'
import { FieldGroup, FieldRow, TextField } from '../../kit/form/fields.tsx'
import { MultiSelect } from '../../kit/form/multi-select.tsx'
import type { FieldBinding } from '../../kit/form/use-form.ts'
import { emptyRule, kinds, regions, type TypedRule } from './typed-rule.ts'

export function RuleList({ at }: { readonly at: FieldBinding<readonly TypedRule[]> }): JSX.Element {
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

const asChoices = (names: readonly string[]) => names.map((value) => ({ value, text: value }))

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
        <MultiSelect label="Kinds" none="any" options={asChoices(kinds)} at={at('kinds')} />
        <MultiSelect label="Regions" none="any" options={asChoices(regions)} at={at('regions')} />
      </FieldRow>
      {mids.choices.length > 0 && <MultiSelect label="MIDs" none="any" options={mids.choices} at={at('midIds')} />}
      <TextField
        label="Networks or brands"
        optional
        hint="Such as visa, mastercard. Leave empty for any."
        at={at('networks')}
      />
      <FieldRow>
        <TextField
          label="Currency"
          suggest="currency"
          hint="Leave empty for any. Amounts need a currency."
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
