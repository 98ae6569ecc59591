/** Bytes written as text, read strictly: of the many ways to write the same bytes loosely only one is taken. */

/** Standard alphabet, padded, and no stray bits in the last character; null for anything else. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Hexadecimal of either case; null for anything else. */
export function hexBytes(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : null
}
