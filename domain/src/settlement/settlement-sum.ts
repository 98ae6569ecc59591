/** An amount of a settlement row, such as -10.00. */

/** Null unless it is an amount with at most the currency's decimals. */
export function readSum(text: string, exponent: number): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]{1,30})(?:\.([0-9]{1,18}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > exponent) return null
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'))
  return sign === '-' ? -minor : minor
}
