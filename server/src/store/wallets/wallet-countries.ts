/** The operator's changes to a wallet provider's country list. Chapter 40 §1. */
import type { Wallet } from '#domain/mid.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const findCountries = sql<{ countries: string[] }, readonly [string]>(
  'wallet-countries.find',
  'select countries from wallet_countries where wallet = $1',
)
const putCountries = sql<Record<never, never>, readonly [string, readonly string[]]>(
  'wallet-countries.put',
  `insert into wallet_countries (wallet, countries) values ($1, $2)
   on conflict (wallet) do update set countries = excluded.countries`,
)
const dropCountries = sql<Record<never, never>, readonly [string]>(
  'wallet-countries.drop',
  'delete from wallet_countries where wallet = $1',
)

export const walletCountryStore = (pool: Queryable) => ({
  /** Null if the release's list applies. */
  find: async (wallet: Wallet): Promise<readonly string[] | null> =>
    (await query(pool, findCountries, [wallet]))[0]?.countries ?? null,
  put: async (wallet: Wallet, countries: readonly string[]): Promise<void> => {
    await query(pool, putCountries, [wallet, countries])
  },
  drop: async (wallet: Wallet): Promise<void> => {
    await query(pool, dropCountries, [wallet])
  },
})
