/** What the page asks for the chosen method: what the server says is missing, less what a saved card knows. Chapter 30 §7.3, §7.5. */
import type { FieldView, MethodView, SavedCardView, SessionView } from '../page-api.ts'

export interface Choice {
  readonly method: MethodView
  /** Null for a card whose number is typed in. */
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
    // The holder of a saved card is known, and so is its number.
    return !holderFields.includes(name)
  })
}

/** What stands in the fields before anybody typed. The amount of a transfer is the payer's to change. Chapter 30 §3.3. */
export function startingValues({
  methods,
  order,
}: Pick<SessionView, 'methods' | 'order'>): Readonly<Record<string, string>> {
  const fields = methods.flatMap((method) => method.fields)
  const given = fields.flatMap(({ name, default: value }) => (value === null ? [] : [[name, value] as const]))
  const amount = fields.some(({ name }) => name === 'amount') && order.amount !== '-1' ? order.amount : null
  return { ...Object.fromEntries(given), ...(amount === null ? {} : { amount }) }
}

const holderFields = ['card.number', 'customer.name', 'payee.name']

/** Elsewhere no state is asked, checked or kept. Chapter 30 §3.4. */
export const hasStates = (country: string): boolean => ['CA', 'US', 'JP', 'AU', 'IN'].includes(country.toUpperCase())
