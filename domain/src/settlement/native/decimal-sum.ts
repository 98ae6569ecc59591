/** Sums of decimal texts without rounding. */

/** Null unless every text is a decimal number; an empty one counts as zero. */
export function addDecimals(...texts: readonly string[]): string | null {
  let sum = 0n
  for (const text of texts) {
    const units = unitsOf(text)
    if (units === null) return null
    sum += units
  }
  return textOf(sum)
}

/** Empty for a text that is no number. */
export function negate(text: string): string {
  const units = unitsOf(text)
  return units === null ? '' : textOf(-units)
}

export const isZero = (text: string): boolean => unitsOf(text) === 0n

/** Half a unit is rounded away from zero. The text must be a decimal number. */
export function roundedTo(text: string, decimals: number): string {
  const units = unitsOf(text) ?? 0n
  const step = 10n ** BigInt(places - decimals)
  const size = units < 0n ? -units : units
  const rounded = ((size + step / 2n) / step) * step
  return textOf(units < 0n ? -rounded : rounded)
}

const places = 18

function unitsOf(text: string): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]{0,30})(?:\.([0-9]{0,18}))?$/.exec(text) ?? []
  if (text !== '' && whole === '' && fraction === '') return null
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  return sign === '-' ? -units : units
}

/** Without zeros at the end of the decimals: how many a currency has is checked where its amounts are read. */
function textOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`
}
