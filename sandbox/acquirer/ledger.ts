/** Every effect in the order of its execution: the independent record with which tests compare the gateway's. */
import { amountOf, type Transaction, type TransactionType } from './transaction.ts'

export interface LedgerEntry {
  readonly sequence: number
  readonly at: number
  readonly type: TransactionType | 'chargeback' | 'lapse'
  readonly transaction: Transaction
}

interface Totals {
  readonly count: number
  /** Minor units by currency. */
  readonly sums: Readonly<Record<string, string>>
}

export class Ledger {
  readonly #entries: LedgerEntry[] = []
  readonly #totals = new Map<string, { count: number; sums: Map<string, bigint> }>()

  get size(): number {
    return this.#entries.length
  }

  enter(transaction: Transaction, at: number, type: LedgerEntry['type'] = transaction.record.type): void {
    this.#entries.push({ sequence: this.#entries.length + 1, at, type, transaction })

    const totals = this.#totals.get(type) ?? { count: 0, sums: new Map<string, bigint>() }
    const { currency } = transaction.record
    totals.count++
    totals.sums.set(currency, (totals.sums.get(currency) ?? 0n) + amountOf(transaction))
    this.#totals.set(type, totals)
  }

  /** Entries after the given sequence number, oldest first. */
  since(sequence: number, limit = Number.POSITIVE_INFINITY): readonly LedgerEntry[] {
    return this.#entries.slice(sequence, sequence + limit)
  }

  totals(): Readonly<Record<string, Totals>> {
    return Object.fromEntries(
      [...this.#totals].map(([type, { count, sums }]) => [
        type,
        { count, sums: Object.fromEntries([...sums].map(([currency, sum]) => [currency, String(sum)])) },
      ]),
    )
  }
}
