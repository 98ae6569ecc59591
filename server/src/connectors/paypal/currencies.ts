/**
 * The currencies of PayPal, and its decimals: it takes HUF, JPY and TWD without any.
 *
 * By its page "Currency codes". BRL and MYR only between accounts of the country, which PayPal itself checks.
 */
import { acquirerAmounts } from '../amounts.ts'

const currencies: ReadonlySet<string> = new Set([
  'AUD',
  'BRL',
  'CAD',
  'CHF',
  'CNY',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'HUF',
  'ILS',
  'JPY',
  'MXN',
  'MYR',
  'NOK',
  'NZD',
  'PHP',
  'PLN',
  'SEK',
  'SGD',
  'THB',
  'TWD',
  'USD',
])

const amounts = acquirerAmounts({ HUF: 0, JPY: 0, TWD: 0 })

interface Money {
  readonly currency_code: string
  readonly value: string
}

/** Null if PayPal cannot be asked for exactly this amount, or not in this currency. */
export function toMoney(amountMinor: bigint, currency: string): Money | null {
  const value = currencies.has(currency) ? amounts.toDecimal(amountMinor, currency) : null
  return value === null ? null : { currency_code: currency, value }
}

/** Minor units; null if it is no amount in a currency of PayPal. */
export function fromMoney({ currency_code, value }: Money): bigint | null {
  return currencies.has(currency_code) ? amounts.fromDecimal(value, currency_code) : null
}
