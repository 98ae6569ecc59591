/** What is needed to read brands besides their own records: the countries of wallets and the crypto currencies. Chapter 20 §2, §5.4. */
import { readCryptoCurrencies } from '#domain/brand/crypto-currency.ts'
import { walletCountries } from '#domain/brand/wallet-countries.ts'
import type { Wallet } from '#domain/mid.ts'
import { cryptoExponents, type Exponents } from '#domain/money/currencies.ts'
import type { Queryable } from '../database/pool.ts'
import { walletCountryStore } from '../wallets/wallet-countries.ts'
import { cryptoCurrencyStore } from './crypto-currencies.ts'

export interface BrandTerms {
  /** The country list of each wallet provider: the release's, or the operator's replacement. */
  readonly walletCountries: Readonly<Record<Wallet, readonly string[]>>
  readonly crypto: Exponents
  /** A stored table that is invalid nevertheless (edited by hand) is ignored and reported here. */
  readonly faults: readonly string[]
}

export async function readBrandTerms(pool: Queryable): Promise<BrandTerms> {
  const countries = walletCountryStore(pool)
  const [walletapay, walletbpay, stored] = await Promise.all([
    countries.find('walletapay'),
    countries.find('walletbpay'),
    cryptoCurrencyStore(pool).find(),
  ])
  const reading = stored === null ? null : readCryptoCurrencies(stored)
  return {
    walletCountries: {
      walletapay: walletapay ?? walletCountries.walletapay,
      walletbpay: walletbpay ?? walletCountries.walletbpay,
    },
    crypto: reading?.ok ? reading.table : cryptoExponents,
    faults: reading?.ok === false ? reading.faults : [],
  }
}
