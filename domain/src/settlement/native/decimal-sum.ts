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

export const isZero = (text: string): boolean => unitsOf(text) === 0n

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
