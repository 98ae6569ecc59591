/**
 * What the issuer's answers to the address check (AVS) and the security code check (CVV) mean. Networks and acquirers use the same letters;
 * a code that is not in the table is shown without a meaning.
 */

// biome-ignore format: a table is read in columns.
const addressCodes: Readonly<Record<string, string>> = {
  // code  meaning
  A: 'street matches, postal code does not',
  B: 'street matches, postal code not verified',
  C: 'neither verified, format of the address unknown',
  D: 'street and postal code match',
  E: 'not allowed for this payment',
  F: 'street and postal code match',
  G: 'issuer outside the country does not take part',
  I: 'address not verified',
  M: 'street and postal code match',
  N: 'neither street nor postal code matches',
  P: 'postal code matches, street not verified',
  R: 'issuer’s system unavailable, try again',
  S: 'issuer does not support the check',
  U: 'issuer has no address',
  W: 'nine-digit postal code matches, street does not',
  X: 'street and nine-digit postal code match',
  Y: 'street and postal code match',
  Z: 'postal code matches, street does not',
}

// biome-ignore format: a table is read in columns.
const securityCodes: Readonly<Record<string, string>> = {
  // code  meaning
  D: 'security code suspicious at the issuer',
  I: 'security code failed the processor’s check',
  M: 'security code matches',
  N: 'security code does not match',
  P: 'not processed',
  S: 'security code should be on the card, and was not sent',
  U: 'issuer does not support the check',
  X: 'network does not support the check',
  Y: 'security code matches',
}

/** The code with its meaning, for the members `avs_result` and `cvv_result`; any other value as it is. */
export function withMeaning(member: string, code: string): string {
  const table = { avs_result: addressCodes, cvv_result: securityCodes }[member]
  const meaning = table?.[code.trim().toUpperCase()]
  return meaning === undefined ? code : `${code}: ${meaning}`
}
