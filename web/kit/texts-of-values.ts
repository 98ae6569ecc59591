/** Amounts, dates and durations in the format of a language. */

/**
 * `€49.90` or `49,90 €`: in the format of the language, with the decimals that were sent (Chapter 30 §7.1). The formatter gets the text
 * itself, because a floating-point number would lose digits.
 */
export function amountText(amount: string, currency: string, tag: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const locale = `${tag}-u-nu-latn`
  const value = numericText(amount)
  // Browsers format only codes of three letters as currencies; some crypto currencies have more.
  if (!/^[A-Z]{3}$/.test(currency)) return `${new Intl.NumberFormat(locale, digits).format(value)}\u00a0${currency}`
  // `symbol` and not `narrowSymbol`: several currencies share a narrow one, and the payer must see which it is.
  const format = new Intl.NumberFormat(locale, { ...digits, style: 'currency', currency, currencyDisplay: 'symbol' })
  return format.format(value).replace(directionMarks, '')
}

/** The page itself keeps amounts left to right. Chapter 30 §7.6. */
const directionMarks = /[\u200e\u200f\u061c]/g

/** `day` is `YYYY-MM-DD`. */
export function dayText(day: string, tag: string): string {
  return new Intl.DateTimeFormat(`${tag}-u-nu-latn-ca-gregory`, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  )
}

/** An instant in the payer's time zone; a text that is not an instant is shown unchanged. */
export function instantText(instant: string, tag: string): string {
  const format = new Intl.DateTimeFormat(`${tag}-u-nu-latn-ca-gregory`, { dateStyle: 'long', timeStyle: 'short' })
  const time = Date.parse(instant)
  return Number.isNaN(time) ? instant : format.format(time)
}

/** `9:05`. */
export function timeLeftText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Formatters accept exact decimal texts, but their types require template literals. */
function numericText(amount: string): `${number}` {
  return isNumeric(amount) ? amount : '0'
}

const isNumeric = (text: string): text is `${number}` => /^-?[0-9]+(?:\.[0-9]+)?$/.test(text)
