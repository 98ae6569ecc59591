/** Lists with two values per line: BIN ranges, and MIDs with weights. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Json } from '../../../api/api-types.ts'
import { type FieldFault, memberOf, textAt } from '../../../api/call.ts'
import { Button } from '../../../kit/button.tsx'
import { SelectField, TextField } from '../../../kit/form/fields.tsx'
import { itemsAt, type Members } from './draft-rule.ts'
import type { PartFieldProps } from './part-props.ts'
import { NumberField } from './typed-fields.tsx'
import { faultAt, faultsBelow } from './use-faults.ts'

export function BinRanges(props: PartFieldProps): JSX.Element {
  const { id, part, faults, set, row } = props
  const ranges = itemsAt(part, 'ranges')
  const change = (index: number, changes: Members): void =>
    set({
      ranges: ranges.map((range, at) => (at === index ? { ...textsOf(range), ...changes } : range)),
    })
  return (
    <PairList
      label={row.label}
      act="Add range"
      lines={ranges}
      error={faultOfLines(faults, 'ranges')}
      onAdd={() => set({ ranges: [...ranges, { from: '', to: '' }] })}
      onRemove={(index) => set({ ranges: ranges.toSpliced(index, 1) })}
      line={(range, index) => {
        const { from, to } = textsOf(range)
        // A single number is the range from itself to itself, until its end is typed.
        const start = (text: string): void =>
          change(index, to === '' || to === from ? { from: text, to: text } : { from: text })
        return (
          <>
            <TextField
              label="From"
              inputMode="numeric"
              mono
              maxLength={8}
              at={{
                id: `${id}-from-${index}`,
                value: from,
                error: faultAt(faults, `ranges.${index}.from`),
                set: start,
              }}
            />
            <TextField
              label="To"
              inputMode="numeric"
              mono
              maxLength={8}
              at={{
                id: `${id}-to-${index}`,
                value: to,
                error: faultAt(faults, `ranges.${index}.to`),
                set: (text) => change(index, { to: text }),
              }}
            />
          </>
        )
      }}
    />
  )
}

const textsOf = (range: Json) => ({ from: textAt(range, 'from'), to: textAt(range, 'to') })

export function Shares(props: PartFieldProps): JSX.Element {
  const { part, faults, set, row } = props
  const shares = itemsAt(part, 'shares')
  return (
    <PairList
      label={row.label}
      act="Add MID"
      lines={shares}
      error={faultOfLines(faults, 'shares')}
      onAdd={() => set({ shares: [...shares, { mid: '', weight: 50 }] })}
      onRemove={(index) => set({ shares: shares.toSpliced(index, 1) })}
      line={(share, index) => <Share {...props} share={share} index={index} />}
    />
  )
}

function Share(props: PartFieldProps & { readonly share: Json; readonly index: number }): JSX.Element {
  const { id, part, faults, names, set, share, index } = props
  const mid = textAt(share, 'mid')
  const weight = memberOf(share, 'weight')
  const change = (changes: Members): void => {
    const next = { mid, weight: typeof weight === 'number' || typeof weight === 'string' ? weight : '', ...changes }
    set({ shares: itemsAt(part, 'shares').map((one, at) => (at === index ? next : one)) })
  }
  const named = { id: `${id}-mid-${index}`, value: mid, error: faultAt(faults, `shares.${index}.mid`) }
  const at = { ...named, set: (name: string) => change({ mid: name }) }
  const options = [...new Set(['', ...names.mids, mid])].map((name) => ({ value: name, text: name || 'Select' }))
  return (
    <>
      {names.mids.length === 0 ? (
        <TextField label="MID" mono at={at} />
      ) : (
        <SelectField label="MID" at={at} options={options} />
      )}
      <NumberField
        label="Weight"
        at={{
          id: `${id}-weight-${index}`,
          value: typeof weight === 'number' || typeof weight === 'string' ? weight : null,
          error: faultAt(faults, `shares.${index}.weight`),
          set: (next) => change({ weight: next }),
        }}
      />
    </>
  )
}

/** Faults of the list or of a whole line; the fault of one value is shown beside it. */
const faultOfLines = (faults: readonly FieldFault[], name: string): string | null =>
  faultsBelow(faults, name).find(({ field }) => /^\d*$/.test(field))?.text ?? null

interface PairListProps {
  readonly label: string
  readonly act: string
  readonly lines: readonly Json[]
  /** The fault of the list as a whole. */
  readonly error: string | null
  readonly line: (value: Json, index: number) => ComponentChildren
  readonly onAdd: () => void
  readonly onRemove: (index: number) => void
}

function PairList({ label, act, lines, error, line, onAdd, onRemove }: PairListProps): JSX.Element {
  // Changes the keys after a removal: the following lines move up and must not inherit the removed line's input.
  const removed = useSignal(0)
  return (
    <fieldset class={error ? 'field many wrong' : 'field many'}>
      <legend>{label}</legend>
      {lines.map((value, index) => (
        <div key={`${removed.value} ${index}`} class="pair">
          {line(value, index)}
          <Button
            kind="quiet"
            icon="close"
            label={`Remove line ${index + 1}`}
            disabled={lines.length === 1}
            onClick={() => {
              removed.value += 1
              onRemove(index)
            }}
          />
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={onAdd}>
          {act}
        </Button>
      </div>
      {error && <p class="error">{error}</p>}
    </fieldset>
  )
}
