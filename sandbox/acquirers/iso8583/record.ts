/** The company's record of payments, by the retrieval reference of their first message. Of a card it has the last four digits. */
import type { AnswerName } from './codes.ts'

export interface Payment {
  readonly type: 'payment'
  readonly rrn: string
  readonly account: string
  readonly kind: 'sale' | 'authorize'
  readonly stan: string
  /** With the trace number the name of the message. Absent in records of earlier releases. */
  readonly sentAt?: string
  readonly amount: string
  readonly currency: string
  readonly lastFour: string
  readonly captured: string
  readonly refunded: string
  readonly state: 'open' | 'reversed' | 'declined'
  /** Refunds and captures by their own reference: a later reversal may name one of them. */
  readonly steps: readonly Step[]
  readonly captureAnswer: AnswerName
  readonly voidAnswer: AnswerName
}

interface Step {
  readonly rrn: string
  readonly kind: 'capture' | 'refund'
  readonly amount: string
  readonly isReversed: boolean
}

/** A reversal that came before its original: the original is not executed any more. */
interface EarlyReversal {
  readonly type: 'early-reversal'
  readonly account: string
  readonly rrn: string
}

/** As field 90 or 56 of a later message names the original. */
export interface OriginalName {
  readonly stan: string
  readonly sentAt: string
}

export type Item = Payment | EarlyReversal

export class PaymentRecord {
  readonly #payments = new Map<string, Payment>()
  readonly #early = new Set<string>()

  apply(item: Item): void {
    if (item.type === 'early-reversal') this.#early.add(`${item.account} ${item.rrn}`)
    else this.#payments.set(`${item.account} ${item.rrn}`, item)
  }

  find(account: string, rrn: string): Payment | undefined {
    return this.#payments.get(`${account} ${rrn}`)
  }

  /** Trace numbers are unique within a second only. */
  findOriginal(account: string, { stan, sentAt }: OriginalName): Payment | undefined {
    return [...this.#payments.values()].find(
      (payment) =>
        payment.account === account &&
        payment.stan === stan &&
        (payment.sentAt === undefined || payment.sentAt === sentAt),
    )
  }

  findByStep(account: string, rrn: string): Payment | undefined {
    return [...this.#payments.values()].find(
      (payment) => payment.account === account && payment.steps.some((step) => step.rrn === rrn),
    )
  }

  isReversedEarly(account: string, rrn: string): boolean {
    return this.#early.has(`${account} ${rrn}`)
  }
}
