/** A transaction as the stand-in for CyberSource remembers it. Of a card only the last four digits are stored. */
import { randomInt } from 'node:crypto'
import type { RequestedKind } from '../kit/books.ts'

export interface Transaction {
  readonly id: string
  /** `live` or `test`. */
  readonly account: string
  /** The merchant's reference. */
  readonly code: string
  /** The merchant's own id, by which a time-out reversal finds it; null if none was given. */
  readonly merchantId: string | null
  /** The same as a UUID, as the ledger shows it. Absent in records of earlier releases. */
  readonly ledgerId?: string
  readonly kind: RequestedKind
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly lastFour: string
  readonly verdict: Verdict
  /** The payment or capture that it changes. */
  readonly of: string | null
  /** Its hold was reversed, or it was voided. */
  readonly isCanceled: boolean
  readonly at: string
}

export interface Verdict {
  /** As the answer says it. */
  readonly status: string
  /** Null if it was executed. */
  readonly reason: string | null
  /** Of the reason, as reports say it; 100 if it was executed. */
  readonly number: number
  /** Of the card network. */
  readonly responseCode: string
}

export const executedVerdict = (status: string): Verdict => ({ status, reason: null, number: 100, responseCode: '00' })

/** All transactions, newest state of each. */
export class Transactions {
  readonly #byId = new Map<string, Transaction>()

  readonly enter = (transaction: Transaction): void => {
    this.#byId.set(transaction.id, transaction)
  }

  withId(account: string, id: string): Transaction | undefined {
    const found = this.#byId.get(id)
    return found?.account === account ? found : undefined
  }

  /** Newest first. */
  withCode(account: string, code: string): readonly Transaction[] {
    return this.#where((one) => one.account === account && one.code === code).toReversed()
  }

  withMerchantId(account: string, merchantId: string): Transaction | undefined {
    return this.#where((one) => one.account === account && one.merchantId === merchantId)[0]
  }

  /** What was captured of a payment, or refunded of a payment or capture, and not canceled since. */
  sumOf(id: string, kind: RequestedKind): number {
    const steps = this.#where((one) => one.of === id && one.kind === kind && isExecuted(one) && !one.isCanceled)
    return steps.reduce((sum, { amount }) => sum + amount, 0)
  }

  #where(wanted: (transaction: Transaction) => boolean): readonly Transaction[] {
    return [...this.#byId.values()].filter(wanted)
  }
}

export const isExecuted = ({ verdict }: Transaction): boolean => verdict.reason === null

/** 22 digits, as CyberSource's are. */
export const newId = (): string => `77${Array.from({ length: 20 }, () => randomInt(10)).join('')}`
