/** An amount with its currency in words, by the viewer's locale and the decimals of ISO 4217. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'

export interface Sum {
  /** Whole minor units as the API writes them. */
  readonly minor: string | bigint
  readonly currency: string
  /** As the amount was sent, for currencies that were sent with zeros. */
  readonly decimals?: number
}

export function moneyText({ minor, currency, decimals }: Sum): string {
  const isKnown = exponentOf(currency, cryptoExponents) !== undefined || decimals !== undefined
  if (!isKnown) return `${minor} ${currency}`
  const text = formatAmount(BigInt(minor), currency, decimals)
  return `${byLocale(text)} ${currency}`
}

/** Grouped by the locale from the text itself: no binary number ever holds the amount. */
function byLocale(text: string): string {
  const [whole = '0', fraction] = text.split('.')
  const grouped = new Intl.NumberFormat().format(BigInt(whole))
  const sign = whole.startsWith('-') && !grouped.startsWith('-') ? '-' : ''
  return `${sign}${grouped}${fraction === undefined ? '' : `${decimalPoint()}${fraction}`}`
}

const decimalPoint = (): string =>
  new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
