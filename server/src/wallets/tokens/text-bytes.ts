/** Strict decoding of bytes written as text: only the canonical form is accepted. */

/** Standard alphabet, padded, without stray bits in the last character; null for anything else. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Hexadecimal in either case; null for anything else. */
export function hexBytes(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : null
}
