/** The wallet provider's country list: the release's until the operator enters another. Chapter 40 §1. */
import { walletCountries } from '#domain/brand/wallet-countries.ts'
import type { Wallet } from '#domain/mid.ts'
import { isCountry } from '#domain/place/country.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { walletCountryStore } from '../../store/wallets/wallet-countries.ts'
import { acceptEntry, type EntryResult, notValid, refuseEntry } from './context.ts'

export async function readCountries(pool: Queryable, wallet: Wallet): Promise<ReadonlySet<string>> {
  return new Set((await walletCountryStore(pool).find(wallet)) ?? walletCountries[wallet])
}

/** Null restores the release's list. */
export async function changeCountries(
  pool: Queryable,
  wallet: Wallet,
  countries: readonly string[] | null,
): Promise<EntryResult<ReadonlySet<string>>> {
  if (countries === null) await walletCountryStore(pool).drop(wallet)
  else if (countries.length === 0 || !countries.every(isCountry))
    return refuseEntry({ field: 'countries', text: notValid })
  else await walletCountryStore(pool).put(wallet, [...new Set(countries)].sort())
  return acceptEntry(await readCountries(pool, wallet))
}
