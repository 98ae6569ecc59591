/** A payment as the stand-in for Checkout.com remembers it. Of a card only the last four digits are stored. */
import { randomBytes } from 'node:crypto'
import type { DisputeAnswer, DisputeState } from '../kit/dispute-pages.ts'

export interface Action {
  readonly id: string
  readonly type: 'Authorization' | 'Card Verification' | 'Capture' | 'Refund' | 'Void' | 'Payout'
  readonly reference: string
  readonly amount: number
  readonly code: string
  readonly summary: string
  readonly at: string
}

export interface Payment {
  readonly id: string
  /** `live` or `test`. */
  readonly account: string
  /** The merchant's reference. */
  readonly reference: string
  /** The merchant's idempotency key, which is its id of the transaction. */
  readonly transactionId: string
  readonly kind: 'sale' | 'authorize' | 'credit'
  readonly amount: number
  readonly currency: string
  readonly lastFour: string
  readonly state: 'at-payer' | 'authorized' | 'declined' | 'voided' | 'paid'
  readonly captured: number
  readonly refunded: number
  /** Newest first, as the API lists them. */
  readonly actions: readonly Action[]
  /** Only of a payment whose payer is sent to a page. */
  readonly page: Page | null
  /** Amount and expiry are those of a test dispute. Absent in records of earlier releases. */
  readonly asksForDispute?: boolean
  readonly dispute?: Dispute
}

interface Dispute {
  readonly id: string
  readonly state: Exclude<DisputeState, 'none'>
  readonly openedAt: string
  /** Named, and not submitted yet. */
  readonly evidence?: DisputeAnswer['documents']
  readonly answer?: DisputeAnswer
}

interface Page {
  /** Secret: it decides the payment. */
  readonly key: string
  readonly session: string
  readonly successUrl: string
  readonly failureUrl: string
  readonly merchant: string
  /** What the card ends with once the payer has approved. */
  readonly verdict: { readonly code: string; readonly summary: string }
}

/** All payments, newest state of each. */
export class Payments {
  readonly #byId = new Map<string, Payment>()
  readonly #byPage = new Map<string, string>()
  readonly #bySession = new Map<string, string>()
  readonly #byReference = new Map<string, Set<string>>()

  /** Enters a payment, or its next state. */
  readonly enter = (payment: Payment): void => {
    const { id, account, reference, page } = payment
    this.#byId.set(id, payment)
    const key = `${account} ${reference}`
    const known = this.#byReference.get(key) ?? new Set()
    this.#byReference.set(key, known.add(id))
    if (!page) return
    this.#byPage.set(page.key, id)
    this.#bySession.set(page.session, id)
  }

  /** By its own id, or by that of its 3-D Secure session. */
  withId(account: string, id: string): Payment | undefined {
    const payment = this.#byId.get(id) ?? this.#byId.get(this.#bySession.get(id) ?? '')
    return payment?.account === account ? payment : undefined
  }

  /** Newest first. */
  withReference(account: string, reference: string): readonly Payment[] {
    const ids = [...(this.#byReference.get(`${account} ${reference}`) ?? [])]
    return ids.toReversed().flatMap((id) => this.#byId.get(id) ?? [])
  }

  /** Newest first. */
  listCaptured(): readonly Payment[] {
    return [...this.#byId.values()].filter(({ captured, refunded }) => captured > refunded).toReversed()
  }

  withDispute(account: string, id: string): Payment | undefined {
    return [...this.#byId.values()].find((one) => one.account === account && one.dispute?.id === id)
  }

  atPage(key: string): Payment | undefined {
    return this.#byId.get(this.#byPage.get(key) ?? '')
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** A prefix and 26 characters, as Checkout.com's are: `pay_…`, `act_…`. */
export const newId = (prefix: string): string =>
  `${prefix}_${[...randomBytes(26)].map((byte) => alphabet[byte % alphabet.length] ?? 'a').join('')}`
