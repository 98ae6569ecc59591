/** The fields that the page asks for: those that the server lists as missing, except what a saved card contains. Chapter 30 §7.3, §7.5. */
import type { FieldView, MethodView, SavedCardView, SessionView } from '../page-api.ts'

export interface Choice {
  readonly method: MethodView
  /** Null if the payer types the card number. */
  readonly savedCard: SavedCardView | null
  /** The payer's country as far as it is known. */
  readonly country: string
}

export function askedFields({ method, savedCard, country }: Choice): readonly FieldView[] {
  return method.fields.filter(({ name }) => {
    if (name === 'billing_address.state') return hasStates(country)
    if (savedCard === null) return true
    if (name === 'card.cvv') return savedCard.asks.includes('cvv')
    if (name === 'card.expiry') return savedCard.asks.includes('expiry')
    // A saved card already has its number and holder.
    return !holderFields.includes(name)
  })
}

/** The initial values of the fields. The payer may change the amount of a transfer. Chapter 30 §3.3. */
export function startingValues({
  methods,
  order,
}: Pick<SessionView, 'methods' | 'order'>): Readonly<Record<string, string>> {
  const fields = methods.flatMap((method) => method.fields)
  const defaults = fields.flatMap(({ name, default: value }) => (value === null ? [] : [[name, value] as const]))
  const amount = fields.some(({ name }) => name === 'amount') && order.amount !== '-1' ? order.amount : null
  return { ...Object.fromEntries(defaults), ...(amount === null ? {} : { amount }) }
}

const holderFields = ['card.number', 'customer.name', 'payee.name']

/** For other countries no state is asked, checked or stored. Chapter 30 §3.4. */
export const hasStates = (country: string): boolean => ['CA', 'US', 'JP', 'AU', 'IN'].includes(country.toUpperCase())
