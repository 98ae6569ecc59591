/** How the fields of a form stand together: under which heading, and which of them share a line. Chapter 30 §7.3. */
import type { FieldView, SessionView } from '../page-api.ts'
import type { TextKey } from '../state/texts.ts'

export interface FieldGroup {
  /** Null for fields without a heading. */
  readonly legend: TextKey | null
  readonly fields: readonly FieldView[]
}

/** A transfer has two cards: without headings the payer could not tell which number belongs to whom. */
export function groupsOf(fields: readonly FieldView[], operation: SessionView['operation']): readonly FieldGroup[] {
  if (operation !== 'transfer') return [{ legend: null, fields }]
  const isAmount = ({ name }: FieldView): boolean => name === 'amount'
  const isRecipient = ({ name }: FieldView): boolean => name.startsWith('payee')
  const groups: readonly FieldGroup[] = [
    { legend: null, fields: fields.filter(isAmount) },
    { legend: 'payerCard', fields: fields.filter((field) => !isAmount(field) && !isRecipient(field)) },
    { legend: 'payee', fields: fields.filter(isRecipient) },
  ]
  return groups.filter((group) => group.fields.length > 0)
}

const pairs: readonly (readonly [string, string])[] = [
  ['card.expiry', 'card.cvv'],
  ['billing_address.house_number', 'billing_address.district'],
  ['billing_address.city', 'billing_address.zip'],
  ['billing_address.phone_country_code', 'billing_address.phone'],
]

/** A field shares its line only with its partner, so that no line has a hole. */
export function sharesLine(name: string, fields: readonly FieldView[]): boolean {
  const pair = pairs.find((one) => one.includes(name))
  return pair?.every((partner) => fields.some((field) => field.name === partner)) ?? false
}
