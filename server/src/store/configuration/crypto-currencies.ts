/** The operator's table of crypto currencies, stored with the instance; null while the release's own table applies. Chapter 20 §2. */
import type { Exponents } from '#domain/money/currencies.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const readTable = sql<{ crypto_currencies: unknown }, readonly []>(
  'instance.crypto-currencies',
  'select crypto_currencies from instance',
)
const lockTable = sql<{ crypto_currencies: unknown }, readonly []>(
  'instance.lock-crypto-currencies',
  'select crypto_currencies from instance for update',
)
const writeTable = sql<Record<never, never>, readonly [string | null]>(
  'instance.write-crypto-currencies',
  'update instance set crypto_currencies = $1',
)
// A Checkout order is stored as sent and read again at every attempt, so its currency must stay known.
const openOrder = sql<{ id: string }, readonly [string, Date]>(
  'session.open-in-currency',
  `select id from sessions where expires_at > $2 and request -> 'order' ->> 'currency' = $1 limit 1`,
)

export const cryptoCurrencyStore = (on: Queryable) => ({
  /** Unvalidated, as it was written; the reader validates it. */
  find: async (): Promise<unknown> => (await query(on, readTable, []))[0]?.crypto_currencies ?? null,
  /** Call inside a transaction: of two people who edit at the same time, one waits. */
  lock: async (): Promise<unknown> => (await query(on, lockTable, []))[0]?.crypto_currencies ?? null,
  put: async (table: Exponents): Promise<void> => {
    await query(on, writeTable, [json(Object.fromEntries(table))])
  },
  /** Whether a session that can still be paid uses the currency. */
  isOrdered: async (code: string, now: Date): Promise<boolean> =>
    (await query(on, openOrder, [code, now])).length === 1,
})
