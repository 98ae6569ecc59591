/** A payment as the stand-in for Adyen remembers it. Of a card only its network and the last four digits are stored. */
import { randomBytes } from 'node:crypto'
import type { LimitedBrand } from '../kit/card-brands.ts'
import type { DisputeAnswer, DisputeState, InquiryState } from '../kit/dispute-pages.ts'

export interface Payment {
  readonly pspReference: string
  /** `live` or `test`. */
  readonly account: string
  /** The merchant's reference. */
  readonly reference: string
  /** The merchant's idempotency key, which is its id of the transaction. */
  readonly transactionId: string
  readonly kind: 'sale' | 'authorize'
  readonly amount: number
  readonly currency: string
  readonly lastFour: string
  /** Absent in records of earlier releases. */
  readonly brand?: LimitedBrand | null
  readonly state: 'at-payer' | 'authorised' | 'refused' | 'cancelled'
  readonly captured: number
  readonly refunded: number
  readonly storedId: string | null
  readonly shopperReference: string | null
  /** Only of a payment for which the payer is sent to a page. */
  readonly page: Page | null
  /** The dispute that the holder's name asks for. Absent in records of earlier releases. */
  readonly scenario?: DisputeScenario | null
  readonly dispute?: Dispute
}

export interface DisputeScenario {
  readonly name: string
  readonly reasonCode: string | null
}

interface Dispute {
  readonly pspReference: string
  readonly state: Exclude<DisputeState, 'none'> | InquiryState
  /** Supplied, and not yet part of an answer. */
  readonly documents?: DisputeAnswer['documents']
  readonly answer?: DisputeAnswer
}

interface Page {
  /** Secret: it decides the payment. */
  readonly key: string
  readonly returnUrl: string
  readonly merchant: string
  readonly decision: 'approve' | 'decline' | null
  /** What the payer's browser brings back to the merchant; null until it was decided. */
  readonly redirectResult: string | null
}

/** All payments, newest state of each. */
export class Payments {
  readonly #byPsp = new Map<string, Payment>()
  readonly #byPage = new Map<string, string>()
  readonly #byResult = new Map<string, string>()
  readonly #byReference = new Map<string, string>()
  readonly #byStored = new Map<string, string>()

  /** Enters a payment, or its next state. */
  readonly enter = (payment: Payment): void => {
    const { pspReference, account, reference, page, storedId } = payment
    this.#byPsp.set(pspReference, payment)
    this.#byReference.set(`${account} ${reference}`, pspReference)
    if (page) this.#byPage.set(page.key, pspReference)
    if (page?.redirectResult) this.#byResult.set(page.redirectResult, pspReference)
    if (storedId) this.#byStored.set(`${account} ${storedId}`, pspReference)
  }

  withPsp(account: string, pspReference: string): Payment | undefined {
    const payment = this.#byPsp.get(pspReference)
    return payment?.account === account ? payment : undefined
  }

  withReference(account: string, reference: string): Payment | undefined {
    return this.#byPsp.get(this.#byReference.get(`${account} ${reference}`) ?? '')
  }

  /** Newest first. */
  listCaptured(): readonly Payment[] {
    return [...this.#byPsp.values()].filter(({ captured, refunded }) => captured > refunded).toReversed()
  }

  withDispute(account: string, pspReference: string): Payment | undefined {
    return [...this.#byPsp.values()].find(
      (one) => one.account === account && one.dispute?.pspReference === pspReference,
    )
  }

  atPage(key: string): Payment | undefined {
    return this.#byPsp.get(this.#byPage.get(key) ?? '')
  }

  withResult(account: string, redirectResult: string): Payment | undefined {
    return this.withPsp(account, this.#byResult.get(redirectResult) ?? '')
  }

  /** The payment that stored a card. */
  thatStored(account: string, storedId: string): Payment | undefined {
    return this.#byPsp.get(this.#byStored.get(`${account} ${storedId}`) ?? '')
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Sixteen characters, as Adyen's are. */
export const newReference = (): string =>
  [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length] ?? 'A').join('')
