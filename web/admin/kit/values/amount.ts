/** Converts typed amounts to and from the minor units of the API. */
import { cryptoExponents, type Exponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount, parseAmount } from '#domain/money/money.ts'
import { moneyText } from './money-text.ts'
import { decimalMark, decimalOf } from './typed-decimal.ts'

/**
 * The minor units of a typed amount; null if it is not valid in this currency. `decimals` are those of the payment: the operator may have
 * added the crypto currency, or changed its decimals, since the payment was made.
 */
export function minorOf(typed: string, currency: string, decimals?: number, locale?: string): string | null {
  const amount = parseAmount(decimalOf(typed, locale) ?? '', currency, exponentsFor(currency, decimals))
  return typeof amount === 'string' ? null : String(amount.minor)
}

/** Why a typed amount cannot be sent, in words for the user; null if it can. */
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

/** Ten units, to show how many decimals the currency has. */
function exampleOf(currency: string, decimals: number | undefined): string {
  const exponent = exponentOf(currency, exponentsFor(currency, decimals)) ?? 0
  return formatAmount(10n ** BigInt(exponent + 1), currency, exponent)
}

/** The decimals of ISO 4217 currencies are fixed and take precedence. */
const exponentsFor = (currency: string, decimals: number | undefined): Exponents =>
  decimals === undefined ? cryptoExponents : new Map([[currency, decimals]])

/** For an input field: as the user would type it, without grouping. */
export function typedAmount(minor: string, currency: string, decimals: number, locale?: string): string {
  return formatAmount(BigInt(minor), currency, decimals).replace('.', decimalMark(locale))
}
