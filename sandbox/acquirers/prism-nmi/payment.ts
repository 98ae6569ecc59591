/** What the company remembers of a payment. */
import { randomInt } from 'node:crypto'

export interface Payment {
  readonly account: string
  /** The company's own number. */
  readonly id: string
  /** The merchant's id of the transaction that began it. */
  readonly transactionId: string
  readonly kind: 'sale' | 'authorize'
  readonly amountMinor: number
  readonly currency: string
  readonly capturedMinor: number
  readonly refundedMinor: number
  readonly state: 'approved' | 'declined' | 'voided'
  /** Under which the card was stored with it. */
  readonly vaultId?: string
}

export class Payments {
  readonly #byId = new Map<string, Payment>()

  readonly enter = (payment: Payment): void => {
    this.#byId.set(payment.id, payment)
  }

  withId(account: string, id: string): Payment | undefined {
    const payment = this.#byId.get(id)
    return payment?.account === account ? payment : undefined
  }

  hasVault(account: string, vaultId: string): boolean {
    return [...this.#byId.values()].some((one) => one.account === account && one.vaultId === vaultId)
  }

  withTransaction(account: string, transactionId: string): Payment | undefined {
    return [...this.#byId.values()].find((one) => one.account === account && one.transactionId === transactionId)
  }
}

export const newNumber = (): string => `8${String(randomInt(10 ** 9)).padStart(9, '0')}`

/** The merchant writes its ids without dashes. */
export const idOf = (reference: string): string =>
  reference.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
