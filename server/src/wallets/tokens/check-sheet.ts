/**
 * The checks of one token, in their order, with what came of each (Chapter 40 §15).
 *
 * A check that fails ends the reading: `check` then throws `TokenRefused`, and whoever opens the token turns it into a
 * value. Details are for support and never hold card data or key material; answers to merchants never hold details.
 */
import { Asn1Error } from './asn1/asn1-error.ts'

type CheckResult = 'passed' | 'failed' | 'not applicable' | 'not reached'

/** What a refusal means to the merchant: 100000, 250003 or 250004 (Chapter 40 §19.1). */
export type TokenRefusal = 'malformed' | 'expired-or-altered' | 'mismatch'

export interface CheckRow {
  readonly id: string
  readonly name: string
  readonly result: CheckResult
  readonly detail: string | null
}

/** Each check by its id, with its name and what its failure means. */
export type CheckTable = Readonly<Record<string, readonly [name: string, refusal: TokenRefusal]>>

/** Thrown inside a check. The text is the row's detail. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
}

export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly refusal: TokenRefusal

  constructor(id: string, refusal: TokenRefusal) {
    super(`Check ${id} failed.`)
    this.refusal = refusal
  }
}

export class CheckSheet<Table extends CheckTable> {
  readonly #table: Table
  readonly #results = new Map<string, Pick<CheckRow, 'result' | 'detail'>>()

  constructor(table: Table) {
    this.#table = table
  }

  check<T>(id: keyof Table & string, look: () => T, detail?: (found: T) => string): T {
    try {
      const found = look()
      this.#results.set(id, { result: 'passed', detail: detail?.(found) ?? null })
      return found
    } catch (error) {
      if (!(error instanceof CheckFailed || error instanceof Asn1Error)) throw error
      this.#results.set(id, { result: 'failed', detail: error.message })
      throw new TokenRefused(id, this.#table[id]?.[1] ?? 'expired-or-altered')
    }
  }

  /** For checks that this flow, protocol or version does not have. */
  skip(...ids: readonly (keyof Table & string)[]): void {
    for (const id of ids) this.#results.set(id, { result: 'not applicable', detail: null })
  }

  rows(): readonly CheckRow[] {
    const rows: CheckRow[] = []
    for (const id in this.#table) {
      const { result, detail } = this.#results.get(id) ?? notReached
      rows.push({ id, name: this.#table[id]?.[0] ?? '', result, detail })
    }
    return rows
  }
}

const notReached = { result: 'not reached', detail: null } as const

/** Fails the check that is running unless the fact holds. */
export function demand(fact: boolean, detail: string): asserts fact {
  if (!fact) throw new CheckFailed(detail)
}

/** The value, unless it is missing. */
export function present<T>(value: T | null | undefined, detail: string): T {
  if (value === null || value === undefined) throw new CheckFailed(detail)
  return value
}
