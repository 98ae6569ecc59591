/** The attributes of the fields that the page itself knows. Chapter 30 §7.1, §7.3. */
import type { MethodView } from '../page-api.ts'
import type { TextKey } from '../state/texts.ts'

export interface FieldTraits {
  readonly label: TextKey
  readonly autoComplete: string
  readonly inputMode?: 'numeric' | 'tel' | 'email' | 'decimal'
  readonly type?: 'text' | 'email' | 'tel' | 'date'
  readonly maxLength?: number
  readonly ltr?: boolean
}

// biome-ignore format: a table is read in columns.
export const fieldTraits: Readonly<Record<string, FieldTraits>> = {
  'card.number':                        { label: 'cardNumber',    autoComplete: 'cc-number',           inputMode: 'numeric', ltr: true },
  'card.expiry':                        { label: 'expiry',        autoComplete: 'cc-exp',              inputMode: 'numeric', ltr: true },
  'card.cvv':                           { label: 'code',          autoComplete: 'cc-csc',              inputMode: 'numeric', ltr: true },
  'payee_card.number':                  { label: 'recipientCard', autoComplete: 'off',                 inputMode: 'numeric', ltr: true },
  'payee.name':                         { label: 'recipient',     autoComplete: 'name',                maxLength: 255 },
  'amount':                             { label: 'amount',        autoComplete: 'transaction-amount',  inputMode: 'decimal', ltr: true },
  'customer.name':                      { label: 'fullName',      autoComplete: 'name',                maxLength: 255 },
  'customer.email':                     { label: 'email',         autoComplete: 'email',               inputMode: 'email', type: 'email', ltr: true, maxLength: 255 },
  'customer.birth_date':                { label: 'birthDate',     autoComplete: 'bday',                type: 'date' },
  'billing_address.country':            { label: 'country',       autoComplete: 'country' },
  'billing_address.state':              { label: 'state',         autoComplete: 'address-level1' },
  'billing_address.city':               { label: 'city',          autoComplete: 'address-level2',      maxLength: 40 },
  'billing_address.district':           { label: 'district',      autoComplete: 'address-level3',      maxLength: 32 },
  'billing_address.address':            { label: 'address',       autoComplete: 'address-line1',       maxLength: 255 },
  'billing_address.house_number':       { label: 'houseNumber',   autoComplete: 'address-line2',       maxLength: 9 },
  'billing_address.zip':                { label: 'zip',           autoComplete: 'postal-code',         maxLength: 10 },
  'billing_address.phone_country_code': { label: 'phoneCode',     autoComplete: 'tel-country-code',    ltr: true },
  'billing_address.phone':              { label: 'phone',         autoComplete: 'tel-national',        inputMode: 'tel', type: 'tel', ltr: true, maxLength: 32 },
  'fields.identifier':                  { label: 'identifier',    autoComplete: 'off',                 maxLength: 255 },
}

const holder: FieldTraits = { label: 'name', autoComplete: 'cc-name', maxLength: 255 }

/** The holder of a card has another label than the payer of a bank transfer. Undefined for a brand's own field. */
export const traitsIn = (method: Pick<MethodView, 'kind'> | null, name: string): FieldTraits | undefined =>
  method?.kind === 'card' && name === 'customer.name' ? holder : fieldTraits[name]
