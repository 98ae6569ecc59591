/** Amounts as people type them, and the minor units that the API counts in. */
import { cryptoExponents, type Exponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount, parseAmount } from '#domain/money/money.ts'
import { moneyText } from './money-text.ts'

/**
 * The minor units of a typed amount; null when it is none in this currency. `decimals` are those of the payment that it is about, by
 * which a crypto currency counts: the operator may have added it, or changed its decimals since.
 */
export function minorOf(typed: string, currency: string, decimals?: number): string | null {
  const amount = parseAmount(plain(typed), currency, exponentsFor(currency, decimals))
  return typeof amount === 'string' ? null : String(amount.minor)
}

/** Why a typed amount cannot be sent, in words for the person who typed it; null when it can. */
export function amountFault(
  typed: string,
  currency: string,
  mostMinor: string | bigint,
  decimals?: number,
): string | null {
  const minor = minorOf(typed, currency, decimals)
  if (minor === null) return `Enter an amount in ${currency}, such as ${exampleOf(currency, decimals)}.`
  if (BigInt(minor) === 0n) return 'Enter more than zero.'
  const most = { minor: mostMinor, currency, ...(decimals === undefined ? {} : { decimals }) }
  return BigInt(minor) > BigInt(mostMinor) ? `At most ${moneyText(most)}.` : null
}

/** Ten units show how many decimals the currency takes. */
function exampleOf(currency: string, decimals: number | undefined): string {
  const exponent = exponentOf(currency, exponentsFor(currency, decimals)) ?? 0
  return formatAmount(10n ** BigInt(exponent + 1), currency, exponent)
}

/** Those of ISO 4217 are known to everybody and go before. */
const exponentsFor = (currency: string, decimals: number | undefined): Exponents =>
  decimals === undefined ? cryptoExponents : new Map([[currency, decimals]])

/** For a field: no grouping, and a point whatever the locale. */
export function amountTyped(minor: string, currency: string, decimals: number): string {
  return formatAmount(BigInt(minor), currency, decimals)
}

/** For a search that may name no currency: two decimals, as most have. Empty when nothing usable was typed. */
export const minorSearched = (typed: string, currency: string): string =>
  typed === '' ? '' : (minorOf(typed, currency === '' ? 'EUR' : currency.toUpperCase()) ?? '')

/** A comma before the last digits is a point where people write it so. */
function plain(typed: string): string {
  const text = typed.replaceAll(/\s/g, '')
  return /^\d+(,\d+)?$/.test(text) ? text.replace(',', '.') : text
}
