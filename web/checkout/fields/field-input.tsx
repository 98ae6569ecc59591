/** The input of one field: by the page's own table, or by the server's description of a brand's parameter. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { codeLength, digitsOf, groupCardNumber } from '../../kit/card-number.ts'
import { caretAfter } from '../../kit/caret.ts'
import { ComboBox } from '../../kit/combo-box.tsx'
import { formatExpiryWhileTyping, hasImpossibleMonth } from '../../kit/expiry.ts'
import { SelectInput } from '../../kit/select-input.tsx'
import { TextInput } from '../../kit/text-input.tsx'
import { AcceptedMarks } from '../marks/accepted-marks.tsx'
import { CodePicture } from '../marks/code-picture.tsx'
import { NetworkMark } from '../marks/network-mark.tsx'
import type { FieldView } from '../page-api.ts'
import { announce } from '../state/announce.ts'
import {
  complain,
  complaints,
  countries,
  country,
  enter,
  listedMethods,
  method,
  network,
  phase,
  session,
  values,
} from '../state/session.ts'
import { say } from '../state/texts.ts'
import { callingCodes, codeOfCountry, countryOfCode } from './calling-codes.ts'
import { check } from './check-form.ts'
import { fieldId } from './field-id.ts'
import { type FieldTraits, fieldTraits, traitsIn } from './field-texts.ts'

export function FieldInput({ field }: { readonly field: FieldView }): JSX.Element {
  const { name } = field
  const shared = sharedProps(field)
  if (name === 'billing_address.country') return <CountryInput {...shared} />
  if (name === 'billing_address.state') return <StateInput {...shared} />
  if (name === 'billing_address.phone_country_code') return <PhoneCodeInput {...shared} />
  const options = optionsOf(field)
  if (options) return <SelectInput {...shared} options={options} prompt={say('choose')} onChange={shared.onChange} />
  return (
    <TextInput
      {...shared}
      {...traitsOf(field)}
      onInput={({ currentTarget }) => handleInput(name, currentTarget)}
      {...(name === 'card.expiry' ? { placeholder: say('expiryForm') } : {})}
      {...(name === 'card.cvv'
        ? { maxLength: codeLength(network.value), badge: <CodePicture isFront={codeLength(network.value) === 4} /> }
        : {})}
      {...(name === 'card.number' ? { badge: <NetworkBadge />, placeholder: '1234 1234 1234 1234' } : {})}
    />
  )
}

const traits = (name: string): FieldTraits =>
  traitsIn(method.value, name) ?? { label: 'identifier', autoComplete: 'off' }

function traitsOf({ name, type: kind, max }: FieldView): Omit<FieldTraits, 'label'> {
  const known = traitsIn(method.value, name)
  if (known) {
    const { label: _, ...rest } = known
    return rest
  }
  const inputMode = kind === 'digits' || kind === 'integer' ? { inputMode: 'numeric' as const } : {}
  const type = kind === 'date' ? { type: 'date' as const } : {}
  return { autoComplete: 'off', ...inputMode, ...type, ...(kind === 'string' && max ? { maxLength: max } : {}) }
}

function sharedProps(field: FieldView) {
  const { name, required } = field
  const complaint = complaints.value[name]
  const code = name === 'card.cvv' ? say(codeLength(network.value) === 4 ? 'codeFront' : 'codeBack') : undefined
  return {
    id: fieldId(name),
    label: field.title ?? labelOf(name),
    error: complaint === undefined ? null : say(complaint),
    hint: code,
    optional: required ? undefined : say('optional'),
    value: values.value[name] ?? '',
    required,
    autoComplete: traits(name).autoComplete,
    locked: phase.value.at === 'paying',
    onChange: (value: string) => enter(name, value),
    onLeave: () => leave(field),
  }
}

function labelOf(name: string): string {
  const label = say(traits(name).label)
  // The payer types an amount without its currency, so the label names it.
  if (name === 'amount') return `${label} (${session.value?.order.currency ?? ''})`
  return name === 'billing_address.phone_country_code' ? `${say('phone')}: ${label}` : label
}

/** An empty field is not reported when it is left: the payer may fill it in later. */
function leave(field: FieldView): void {
  if ((values.value[field.name] ?? '').trim() !== '') complain(field.name, check(field, false))
}

function handleInput(name: string, input: HTMLInputElement): void {
  const { value, selectionStart } = input
  const shown = formatInput(name, value)
  enter(name, shown)
  if (name === 'card.expiry' && hasImpossibleMonth(shown)) refuseMonth(name)
  else if (complaints.value[name] !== undefined) complain(name, null)
  if (shown === value) return
  const digitsBefore = digitsOf(value.slice(0, selectionStart ?? value.length)).length
  const atEnd = selectionStart === value.length
  input.value = shown
  const caret = atEnd ? shown.length : caretAfter(shown, digitsBefore)
  input.setSelectionRange(caret, caret)
}

/** Reported while typing, because the payer would otherwise type a whole date for nothing. */
function refuseMonth(name: string): void {
  if (complaints.value[name] === 'wrongMonth') return
  complain(name, 'wrongMonth')
  announce(say('wrongMonth'))
}

function formatInput(name: string, value: string): string {
  if (name === 'card.number' || name === 'payee_card.number') return groupCardNumber(value)
  if (name === 'card.expiry') return formatExpiryWhileTyping(value, values.value[name] ?? '')
  return name === 'card.cvv' ? digitsOf(value).slice(0, 4) : value
}

type SharedProps = ReturnType<typeof sharedProps>

const CountryInput = (shared: SharedProps): JSX.Element => (
  <SelectInput
    {...shared}
    options={countries.value}
    prompt={say('choose')}
    onChange={(value) => {
      shared.onChange(value)
      // The state belonged to the previous country.
      enter('billing_address.state', '')
    }}
  />
)

const StateInput = (shared: SharedProps): JSX.Element => (
  <SelectInput
    {...shared}
    options={countries.value.find(({ value }) => value === country.value)?.regions ?? []}
    prompt={say('choose')}
  />
)

/** The code is sent, and the chosen country stays on display: several countries share a code. */
function PhoneCodeInput(shared: SharedProps): JSX.Element {
  const chosen = useSignal('')
  return (
    <ComboBox
      {...shared}
      value={countryOfCode(countries.value, shared.value, [chosen.value, country.value])}
      options={callingCodes(countries.value)}
      onChoose={(value) => {
        chosen.value = value
        shared.onChange(codeOfCountry(countries.value, value))
      }}
      noMatch={say('noMatch')}
    />
  )
}

function optionsOf(field: FieldView) {
  if (fieldTraits[field.name]) return null
  if (field.type === 'boolean')
    return [
      { value: 'true', text: say('yes') },
      { value: 'false', text: say('no') },
    ]
  if (field.type === 'country') return countries.value
  return field.values.length > 0 ? field.values.map((value) => ({ value, text: value })) : null
}

/** The network of the number; of an empty field the accepted ones, unless the list of methods shows them already. */
function NetworkBadge(): JSX.Element | null {
  const networks = method.value?.networks ?? []
  const known = network.value
  if (known === null) {
    const isEmpty = (values.value['card.number'] ?? '') === ''
    return isEmpty && listedMethods.value.length === 1 ? (
      <span class="adornment">
        <AcceptedMarks networks={networks} />
      </span>
    ) : null
  }
  const isServed = networks.length === 0 || networks.includes(known)
  return (
    <span class={isServed ? 'adornment' : 'adornment unserved'}>
      <NetworkMark network={known} />
    </span>
  )
}
