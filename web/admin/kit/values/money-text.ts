/** An amount with its currency, in the viewer's locale and with the decimals of ISO 4217. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'

export interface Sum {
  /** Whole minor units, as in the API. */
  readonly minor: string | bigint
  readonly currency: string
  /** The decimals with which the amount was sent, for currencies that may be sent with zeros. */
  readonly decimals?: number
}

export function moneyText({ minor, currency, decimals }: Sum): string {
  const isKnown = exponentOf(currency, cryptoExponents) !== undefined || decimals !== undefined
  if (!isKnown) return `${minor} ${currency}`
  const text = formatAmount(BigInt(minor), currency, decimals)
  return `${byLocale(text)} ${currency}`
}

/** Groups the digits of the text itself: the amount never becomes a floating-point number. */
function byLocale(text: string): string {
  const [whole = '0', fraction] = text.split('.')
  const grouped = new Intl.NumberFormat().format(BigInt(whole))
  const sign = whole.startsWith('-') && !grouped.startsWith('-') ? '-' : ''
  return `${sign}${grouped}${fraction === undefined ? '' : `${decimalPoint()}${fraction}`}`
}

const decimalPoint = (): string =>
  new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
