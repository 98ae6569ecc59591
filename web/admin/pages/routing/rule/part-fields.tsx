/** The fields of a condition or an action, generated from the table of kinds. */
import type { JSX } from 'preact'
import { CheckField, type Choice, FieldRow, SelectField, TextField } from '../../../kit/form/fields.tsx'
import { MultiSelect } from '../../../kit/form/multi-select.tsx'
import type { Names } from '../names.ts'
import { AmountRange } from './amount-range.tsx'
import { itemsAt, listAt, wordAt } from './draft-rule.ts'
import type { FieldSpec, Kind } from './kinds.ts'
import { OrderedField } from './ordered-field.tsx'
import { BinRanges, Shares } from './pair-lists.tsx'
import { bindMember, type PartFieldProps, type PartProps } from './part-props.ts'
import { weekdays } from './spelling.ts'
import { CodesField, LinesField, NumberField } from './typed-fields.tsx'
import { VelocityFields } from './velocity-fields.tsx'

export function PartFields({ kind, ...props }: PartProps & { readonly kind: Kind }): JSX.Element | null {
  if (kind.fields.length === 0) return null
  const [wide, narrow] = [kind.fields.filter(isWide), kind.fields.filter((row) => !isWide(row))]
  return (
    <>
      {wide.map((row) => (
        <PartField key={row.label} {...props} row={row} />
      ))}
      {narrow.length > 0 && (
        <FieldRow>
          {narrow.map((row) => (
            <PartField key={row.label} {...props} row={row} />
          ))}
        </FieldRow>
      )}
    </>
  )
}

const wideInputs: ReadonlySet<FieldSpec['input']> = new Set([
  'many',
  'ordered',
  'weekdays',
  'amount-range',
  'velocity-limit',
  'bin-ranges',
  'shares',
])
const isWide = ({ input }: FieldSpec): boolean => wideInputs.has(input)

function PartField(props: PartFieldProps): JSX.Element {
  const { row, part, names } = props
  switch (row.input) {
    case 'many':
      return <Many {...props} row={row} />
    case 'ordered':
      return (
        <OrderedField at={bindMember(props, row.name, listAt(part, row.name))} {...row} options={names[row.options]} />
      )
    case 'one':
      return <One {...props} row={row} />
    case 'codes':
      return <CodesField at={bindMember(props, row.name, listAt(part, row.name))} label={row.label} hint={row.hint} />
    case 'lines':
      return <LinesField at={bindMember(props, row.name, listAt(part, row.name))} label={row.label} hint={row.hint} />
    case 'number':
      return <NumberField at={bindMember(props, row.name, part[row.name] ?? null)} {...row} />
    case 'text':
    case 'time':
      return (
        <TextField
          at={bindMember(props, row.name, wordAt(part, row.name))}
          type={row.input}
          label={row.label}
          hint={row.hint}
        />
      )
    case 'check':
      return <CheckField at={bindMember(props, row.name, part[row.name] === true)} label={row.label} hint={row.hint} />
    case 'weekdays':
      return <Weekdays {...props} row={row} />
    case 'amount-range':
      return <AmountRange {...props} />
    case 'velocity-limit':
      return <VelocityFields {...props} />
    case 'bin-ranges':
      return <BinRanges {...props} />
    case 'shares':
      return <Shares {...props} />
  }
}

type RowOf<Input extends FieldSpec['input']> = Extract<FieldSpec, { readonly input: Input }>

/** A value that was chosen earlier stays an option, even if it no longer exists. */
function choicesOf(options: readonly Choice[], chosen: readonly string[]): readonly Choice[] {
  const lost = chosen.filter((value) => value !== '' && options.every((one) => one.value !== value))
  return [...options, ...lost.map((value) => ({ value, text: value }))]
}

const choicesIn = (options: RowOf<'many'>['options'], names: Names): readonly Choice[] =>
  typeof options === 'string' ? names[options].map((name) => ({ value: name, text: name })) : options

function Many(props: PartFieldProps & { readonly row: RowOf<'many'> }): JSX.Element {
  const { row, part, names } = props
  const chosen = listAt(part, row.name)
  const options = choicesIn(row.options, names)
  const at = bindMember(props, row.name, chosen)
  if (options.length === 0) return <CodesField at={at} label={row.label} hint="Names separated by commas." />
  return (
    <MultiSelect
      at={at}
      label={row.label}
      options={choicesOf(options, chosen)}
      {...(row.none === undefined ? {} : { none: row.none })}
    />
  )
}

function One(props: PartFieldProps & { readonly row: RowOf<'one'> }): JSX.Element {
  const { row, part, names } = props
  const value = wordAt(part, row.name)
  const options = choicesIn(row.options, names)
  const at = bindMember(props, row.name, value)
  if (options.length === 0) return <TextField at={at} label={row.label} mono />
  const none = typeof row.options === 'string' ? [{ value: '', text: 'Select' }] : []
  return <SelectField at={at} label={row.label} options={[...none, ...choicesOf(options, [value])]} />
}

function Weekdays(
  props: PartFieldProps & { readonly row: RowOf<'weekdays' | 'text' | 'time' | 'check'> },
): JSX.Element {
  const { row, part } = props
  const days = itemsAt(part, row.name).map(String)
  const at = bindMember<readonly string[]>(props, row.name, days)
  const options = weekdays.map((text, index) => ({ value: String(index + 1), text }))
  const set = (chosen: readonly string[]): void =>
    props.set({ [row.name]: chosen.map(Number).toSorted((one, other) => one - other) })
  return <MultiSelect at={{ ...at, set }} label={row.label} options={options} />
}
