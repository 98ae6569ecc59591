/** The shop's orders. Returns and callbacks are verified against them, as every merchant should do. */
import { checkoutHash } from './signature.ts'

export interface Order {
  readonly number: string
  readonly amount: string
  readonly currency: string
  readonly description: string
}

interface CallbackRecord {
  readonly sequence: number
  readonly at: string
  /**
   * Whether the hash is valid; null for callbacks of other protocols, whose hashes cover values that only the sender of the request knows.
   */
  readonly verified: boolean | null
  readonly fields: Readonly<Record<string, string>>
}

/** More than a visitor looks at, and few enough to keep in memory. */
const REMEMBERED = 200

export class Orders {
  readonly #orders = new Map<string, Order>()
  #received: readonly CallbackRecord[] = []
  #cards: readonly string[] = []
  #sequence = 0

  add(order: Order): void {
    this.#orders.set(order.number, order)
    for (const number of this.#orders.keys()) if (this.#orders.size > REMEMBERED) this.#orders.delete(number)
  }

  find(number: string): Order | null {
    return this.#orders.get(number) ?? null
  }

  /** A payment of another amount or currency does not pay the order. */
  agreeWith({ order_number = '', order_amount, order_currency }: Readonly<Record<string, string>>): boolean {
    const order = this.find(order_number)
    return !order || (order.amount === order_amount && order.currency === order_currency)
  }

  /** Tokens of saved cards, newest first. */
  get cards(): readonly string[] {
    return this.#cards
  }

  remember(fields: Readonly<Record<string, string>>, verified: boolean | null, at: string): void {
    this.#sequence += 1
    const entry = { sequence: this.#sequence, at, verified, fields }
    this.#received = [entry, ...this.#received].slice(0, REMEMBERED)
    const { card_token: token } = fields
    if (verified && token) this.#cards = [token, ...this.#cards.filter((one) => one !== token)].slice(0, SAVED_CARDS)
  }

  /** Newest first. */
  receivedAfter(sequence: number): readonly CallbackRecord[] {
    return this.#received.filter((entry) => entry.sequence > sequence)
  }
}

const SAVED_CARDS = 3
const signedFields = ['id', 'order_number', 'order_amount', 'order_currency', 'order_description'] as const

/** Checkout callbacks name the payment `id`. Chapter 30 §2.2. */
export function verifies(fields: Readonly<Record<string, string>>, password: string): boolean | null {
  if (fields['id'] === undefined || fields['order_number'] === undefined) return null
  const values = signedFields.map((name) => fields[name] ?? '')
  return checkoutHash(values, password) === fields['hash']?.toLowerCase()
}
