/** An amount with its currency, in the viewer's locale and with the decimals of ISO 4217. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { decimalMark, localeDigits } from './typed-decimal.ts'

export interface Sum {
  /** Whole minor units, as in the API. */
  readonly minor: string | bigint
  readonly currency: string
  /** The decimals with which the amount was sent, for currencies that may be sent with zeros. */
  readonly decimals?: number
}

export function moneyText({ minor, currency, decimals }: Sum, locale?: string): string {
  const isKnown = exponentOf(currency, cryptoExponents) !== undefined || decimals !== undefined
  if (!isKnown) return `${minor} ${currency}`
  const text = formatAmount(BigInt(minor), currency, decimals)
  return `${byLocale(text, locale)} ${currency}`
}

/** Groups the digits of the text itself: the amount never becomes a floating-point number. */
function byLocale(text: string, locale: string | undefined): string {
  const [whole = '0', fraction] = text.split('.')
  const grouped = new Intl.NumberFormat(locale).format(BigInt(whole))
  const sign = whole === '-0' ? '-' : ''
  return `${sign}${grouped}${fraction === undefined ? '' : `${decimalMark(locale)}${localeDigits(fraction, locale)}`}`
}
