/**
 * Splits an `application/x-www-form-urlencoded` body, given as one character per byte, into its fields.
 *
 * A percent sign without two hexadecimal digits makes the body unreadable: guessing its meaning could change an amount or a token.
 * Unescaped bytes beyond ASCII are accepted unchanged.
 */
import type { RawField } from './raw-field.ts'

/** Yields null, and ends, where the body cannot be read. */
export function* urlencodedFields(body: string): Generator<RawField | null> {
  for (let start = 0; start < body.length; ) {
    const ampersand = body.indexOf('&', start)
    const end = ampersand === -1 ? body.length : ampersand
    if (end > start) {
      const field = fieldOf(body.slice(start, end))
      yield field
      if (!field) return
    }
    start = end + 1
  }
}

function fieldOf(pair: string): RawField | null {
  const equals = pair.indexOf('=')
  const name = unescapeText(equals === -1 ? pair : pair.slice(0, equals))
  const value = equals === -1 ? '' : unescapeText(pair.slice(equals + 1))
  return name === null || value === null ? null : { name, value }
}

const percent = 0x25
const plus = 0x2b
const space = 0x20

const hexValues = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? -1 : value
})

function unescapeText(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text

  // The decoded bytes are never longer than the escaped ones, so they overwrite them from the left.
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === plus) byte = space
    else if (byte === percent) {
      byte = hexPair(bytes, at + 1)
      if (byte < 0) return null
      at += 2
    }
    bytes[length] = byte
    length += 1
  }
  return bytes.toString('latin1', 0, length)
}

/** Negative unless both are hexadecimal digits, since the sign of either survives the shift and the "or". */
function hexPair(bytes: Buffer, at: number): number {
  if (at + 1 >= bytes.length) return -1
  return ((hexValues[bytes[at] ?? 0] ?? -1) << 4) | (hexValues[bytes[at + 1] ?? 0] ?? -1)
}
