/** The inputs of a merchant's form: found by id, validated by the rules of the hosted page, never written to. Chapter 30 §9. */
import { formatExpiry } from '#domain/card.ts'
import { hasStates } from '../checkout/fields/asked-fields.ts'
import { complaintOf } from '../checkout/fields/check.ts'
import type { FieldView, MethodView, PaymentBody } from '../checkout/page-api.ts'
import { digitsOf, networkWhileTyping } from '../kit/card-number.ts'
import { readExpiry } from '../kit/expiry.ts'

// biome-ignore format: a table is read in columns.
const inputNames = {
  // id of the input           path in the payment
  payer_card:                'card.number',
  payer_cvv:                 'card.cvv',
  payer_expiryDate:          'card.expiry',
  payer_name:                'customer.name',
  payer_email:               'customer.email',
  payer_phone:               'billing_address.phone',
  payer_phone_country_code:  'billing_address.phone_country_code',
  payer_zip:                 'billing_address.zip',
  payer_city:                'billing_address.city',
  payer_state:               'billing_address.state',
  payer_address:             'billing_address.address',
  payer_country:             'billing_address.country',
} as const

export type InputId = keyof typeof inputNames

export const inputIds = Object.keys(inputNames).filter((id): id is InputId => id in inputNames)

/** The payer's input by id; inputs that the form does not have are missing. */
export type TypedInputs = Partial<Readonly<Record<InputId, string>>>

type FormInput = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export const inputOf = (form: HTMLFormElement, id: InputId): FormInput | null => {
  const found = form.querySelector(`#${id}`)
  const isInput =
    found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement
  return isInput ? found : null
}

export function readInputs(form: HTMLFormElement): TypedInputs {
  return Object.fromEntries(
    inputIds.flatMap((id) => {
      const input = inputOf(form, id)
      return input === null ? [] : [[id, input.value.trim()]]
    }),
  )
}

export interface Rules {
  readonly method: MethodView | null
  /** A saved card replaces number, date and name. */
  readonly savedCard: { readonly asksCode: boolean; readonly brand: string } | null
  readonly moto: boolean
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly atPay: boolean
}

export function isValidInput(id: InputId, typed: TypedInputs, rules: Rules): boolean {
  const name = inputNames[id]
  const view = rules.method?.fields.find((field) => field.name === name) ?? { ...plainField, name }
  const field = { ...view, required: isRequired(id, view.required && !isNoState(id, typed, rules), rules) }
  if (rules.savedCard && isReplaced(id)) return true
  const number = typed.payer_card ?? ''
  return (
    complaintOf(field, typed[id] ?? '', {
      today: rules.today,
      currency: '',
      network: rules.savedCard ? rules.savedCard.brand : networkWhileTyping(number),
      networks: rules.method?.networks ?? [],
      atPay: rules.atPay,
    }) === null
  )
}

/** Rules for inputs that the session does not ask for. */
const plainField: Omit<FieldView, 'name'> = {
  required: false,
  title: null,
  type: 'text',
  min: null,
  max: null,
  pattern: null,
  values: [],
  default: null,
}

/** The country that the payer enters may have no states; one that the merchant sent has them, otherwise no state would be asked for. */
function isNoState(id: InputId, { payer_country: country = '' }: TypedInputs, { method }: Rules): boolean {
  const entersCountry = method?.fields.some(({ name }) => name === inputNames.payer_country) ?? false
  return id === 'payer_state' && entersCountry && !hasStates(country)
}

/** These four are always required in a form; the others depend on the session's method. */
function isRequired(id: InputId, needed: boolean, { savedCard, moto }: Rules): boolean {
  if (id === 'payer_cvv') return !moto && (savedCard?.asksCode ?? true)
  return needed || id === 'payer_card' || id === 'payer_expiryDate' || id === 'payer_name'
}

const isReplaced = (id: InputId): boolean => id === 'payer_card' || id === 'payer_expiryDate' || id === 'payer_name'

type PaymentPart = Pick<PaymentBody, 'card' | 'card_token' | 'cvv' | 'customer' | 'billing_address'>

/** The part of a payment that the form provides. */
export function paymentPart(typed: TypedInputs, cardToken: string): PaymentPart {
  const code = typed.payer_cvv ? { cvv: digitsOf(typed.payer_cvv) } : {}
  const expiry = readExpiry(typed.payer_expiryDate ?? '')
  const card = { number: digitsOf(typed.payer_card ?? ''), expiry: expiry ? formatExpiry(expiry) : '' }
  return {
    ...(cardToken === '' ? { card: { ...card, ...code } } : { card_token: cardToken, ...code }),
    customer: group('customer', typed),
    billing_address: group('billing_address', typed),
  }
}

function group(name: string, typed: TypedInputs): Readonly<Record<string, string>> {
  return Object.fromEntries(
    inputIds.flatMap((id) => {
      const [owner = '', member = ''] = inputNames[id].split('.')
      const value = typed[id] ?? ''
      return owner === name && value !== '' ? [[member, value]] : []
    }),
  )
}
