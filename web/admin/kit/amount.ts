/** Amounts as people type them, and the minor units that the API counts in. */
import { cryptoExponents } from '#domain/currencies.ts'
import { exponentOf, formatAmount, parseAmount } from '#domain/money.ts'
import { moneyText } from './money-text.ts'

/** The minor units of a typed amount; null when it is none in this currency. */
export function minorOf(typed: string, currency: string): string | null {
  const amount = parseAmount(plain(typed), currency, cryptoExponents)
  return typeof amount === 'string' ? null : String(amount.minor)
}

/** Why a typed amount cannot be sent, in words for the person who typed it; null when it can. */
export function amountFault(typed: string, currency: string, mostMinor: string | bigint): string | null {
  const minor = minorOf(typed, currency)
  if (minor === null) return `Enter an amount in ${currency}, such as ${exampleOf(currency)}.`
  if (BigInt(minor) === 0n) return 'Enter more than zero.'
  return BigInt(minor) > BigInt(mostMinor) ? `At most ${moneyText({ minor: mostMinor, currency })}.` : null
}

/** Ten units show how many decimals the currency takes. */
function exampleOf(currency: string): string {
  const exponent = exponentOf(currency, cryptoExponents) ?? 0
  return formatAmount(10n ** BigInt(exponent + 1), currency, exponent)
}

/** For a field: no grouping, and a point whatever the locale. */
export function amountTyped(minor: string, currency: string, decimals: number): string {
  const isKnown = exponentOf(currency, cryptoExponents) !== undefined
  return isKnown ? formatAmount(BigInt(minor), currency, decimals) : minor
}

/** For a search that may name no currency: two decimals, as most have. Empty when nothing usable was typed. */
export const minorSearched = (typed: string, currency: string): string =>
  typed === '' ? '' : (minorOf(typed, currency === '' ? 'EUR' : currency.toUpperCase()) ?? '')

/** A comma before the last digits is a point where people write it so. */
function plain(typed: string): string {
  const text = typed.replaceAll(/\s/g, '')
  return /^\d+(,\d+)?$/.test(text) ? text.replace(',', '.') : text
}
