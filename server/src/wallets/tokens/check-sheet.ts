/**
 * The checks of one token in order, with the result of each (Chapter 40 §15).
 *
 * A failed check ends the reading: `check` throws `TokenRefused`, and the function that opens the token turns it into a value. Details are
 * for support and never contain card data or key material; answers to merchants never contain details.
 */
import { Asn1Error } from './asn1/asn1-error.ts'

type CheckResult = 'passed' | 'failed' | 'not applicable' | 'not reached'

/** The meaning of a refusal for the merchant: 100000, 250003 or 250004 (Chapter 40 §19.1). */
export type TokenRefusal = 'malformed' | 'expired-or-altered' | 'mismatch'

export interface CheckRow {
  readonly id: string
  readonly name: string
  readonly result: CheckResult
  readonly detail: string | null
}

/** Each check by its id, with its name and the meaning of its failure. */
export type CheckTable = Readonly<Record<string, readonly [name: string, refusal: TokenRefusal]>>

/** Thrown inside a check. The text becomes the row's detail. */
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

  /** For checks that do not exist in this flow, protocol or version. */
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

/** Fails the running check unless the condition holds. */
export function demand(fact: boolean, detail: string): asserts fact {
  if (!fact) throw new CheckFailed(detail)
}

/** The value; fails the running check if it is missing. */
export function present<T>(value: T | null | undefined, detail: string): T {
  if (value === null || value === undefined) throw new CheckFailed(detail)
  return value
}
