/** Salted hashes, which the journal stores instead of card numbers, tokens, identifiers and accounts. */
import { hash } from 'node:crypto'
import type { PaymentMethod } from './payment-method.ts'
import type { TransactionRequest } from './request.ts'
import { chooseTrigger } from './triggers/trigger-choice.ts'
import type { TokenRecord } from './triggers/wallet-triggers.ts'

export class Fingerprints {
  readonly #salt: string

  constructor(salt: string) {
    this.#salt = salt
  }

  /**
   * Covers everything that affects the money. Verification code and cryptogram are excluded, because the sender may not store them, and
   * a repeated request may lack them.
   */
  of(request: TransactionRequest): string {
    const { type, mid, paymentId, amount, currency } = request
    const own =
      request.step === 'first'
        ? [
            request.orderId,
            ...methodParts(request.paymentMethod),
            request.payeeNumber,
            ...brandOf(request.paymentMethod),
          ]
        : [request.original ?? request.reference]
    return this.#hash(JSON.stringify([type, mid, paymentId, amount, currency, ...own]))
  }

  /** Covers order and payment method, for rows that depend on earlier attempts of the same order; null for all other rows. */
  group(request: TransactionRequest, tokens: TokenRecord): string | null {
    if (request.step === 'later' || !chooseTrigger(request, tokens).onFirstMid) return null
    const { card, wallet, brand } = request.paymentMethod
    const paymentMethod = card?.number ?? wallet?.token ?? `${brand?.code} ${brand?.identifier}`
    return this.#hash(JSON.stringify([request.orderId, paymentMethod]))
  }

  /** 32 hexadecimal characters. A program that knows them can decide in the payer's place. */
  pageKey(id: string): string {
    return hash('sha256', `${this.#salt}redirect ${id}`, 'hex').slice(0, 32)
  }

  #hash(text: string): string {
    return hash('sha256', this.#salt + text, 'base64url').slice(0, 22)
  }
}

function methodParts({ card, wallet }: PaymentMethod): readonly unknown[] {
  if (card) return [card.number, card.expiry]
  return wallet ? [wallet.name, wallet.token] : []
}

function brandOf({ brand }: PaymentMethod): readonly unknown[] {
  if (!brand) return []
  const { code, identifier, cryptoNetwork, parameters } = brand
  return [code, identifier, cryptoNetwork, sortMembers(parameters)]
}

/** A repeated request may have its parameters in another order. */
function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortMembers)
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, sortMembers(inner)])
}
