/** The filters of a list, drawn from a table of fields; the rarer ones are behind a button. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { Button } from '../button.tsx'
import { dayOf } from '../values/instants.ts'
import { CodeList, type Suggested } from './code-list.tsx'
import type { Choice } from './fields.tsx'
import { Input } from './input.tsx'
import type { Filters } from './use-filters.ts'

interface NamedField<Name extends string> {
  readonly name: Name
  readonly label: string
  /** Shown only on demand, or if it is set. */
  readonly rare?: boolean
}

export type FilterField<Name extends string> =
  | (NamedField<Name> & { readonly kind: 'text'; readonly placeholder?: string; readonly suggest?: Suggested })
  | (NamedField<Name> & { readonly kind: 'date' })
  /** `any` is the label of the empty choice; null if one has to be chosen. */
  | (NamedField<Name> & { readonly kind: 'choice'; readonly options: readonly Choice[]; readonly any?: string | null })

interface FilterBarProps<Name extends string> {
  readonly filters: Filters<Name>
  readonly fields: readonly FilterField<Name>[]
  readonly children?: ComponentChildren
}

export function FilterBar<Name extends string>({ filters, fields, children }: FilterBarProps<Name>): JSX.Element {
  const isOpen = useSignal(false)
  const isShown = ({ rare = false, name }: FilterField<Name>): boolean =>
    !rare || isOpen.value || filters.values[name] !== ''
  const shown = fields.filter(isShown)
  const hasRare = fields.some(({ rare }) => rare)
  return (
    <search class={isOpen.value ? 'filters open' : 'filters'}>
      {shown.map((field, index) => (
        <FilterInput
          key={field.name}
          field={field}
          isLate={index >= firstOnPhone && filters.values[field.name] === ''}
          value={filters.values[field.name]}
          // TypeScript does not infer that the object has the one member named by the field.
          onChange={(value) => filters.set({ [field.name]: value } as { readonly [N in Name]?: string })}
        />
      ))}
      <div class="filter-actions">
        {(hasRare || shown.length > firstOnPhone) && (
          <span class={hasRare ? undefined : 'phone-only'}>
            <Button
              kind="quiet"
              icon="filter"
              onClick={() => {
                isOpen.value = !isOpen.value
              }}
            >
              {isOpen.value ? 'Fewer filters' : 'More filters'}
            </Button>
          </span>
        )}
        {filters.count > 0 && (
          <Button kind="quiet" onClick={filters.clear}>
            Clear
          </Button>
        )}
        {children}
      </div>
    </search>
  )
}

/** The number of filters shown on a phone before "more". */
const firstOnPhone = 2

interface FilterInputProps {
  readonly field: FilterField<string>
  readonly value: string
  readonly onChange: (value: string) => void
}

function FilterInput(props: FilterInputProps & { readonly isLate: boolean }): JSX.Element {
  const { field, value, onChange, isLate } = props
  const id = useId()
  return (
    <div class={isLate ? 'filter late' : 'filter'}>
      <label for={id}>{field.label}</label>
      {field.kind === 'choice' ? (
        <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {field.any !== null && <option value="">{field.any ?? 'Any'}</option>}
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : (
        <TypedInput id={id} field={field} value={value} onChange={onChange} />
      )}
    </div>
  )
}

/** A link may have set an instant; the field shows its day. */
const dayShown = (value: string): string => (value.includes('T') ? dayOf(new Date(value)) : value)

/** Long enough to finish a word, short enough not to be noticed. */
const pauseMs = 400

function TypedInput({ id, field, value, onChange }: FilterInputProps & { readonly id: string }): JSX.Element {
  const typed = useSignal(value)
  useEffect(() => {
    typed.value = value
  }, [value])
  useEffect(() => {
    if (typed.value === value) return
    const timer = setTimeout(() => onChange(typed.value.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  const suggest = field.kind === 'text' ? field.suggest : undefined
  return (
    <>
      <Input
        id={id}
        list={suggest && `${id}-codes`}
        type={field.kind === 'date' ? 'date' : 'search'}
        value={field.kind === 'date' ? dayShown(typed.value) : typed.value}
        placeholder={field.kind === 'text' ? field.placeholder : undefined}
        spellcheck={false}
        autoComplete="off"
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onChange(typed.value.trim())
        }}
      />
      {suggest && <CodeList id={`${id}-codes`} of={suggest} />}
    </>
  )
}
