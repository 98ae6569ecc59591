/**
 * One field of a message: its value as text, and its bytes.
 *
 * Digits are padded with zeros on the left, texts with spaces on the right. A binary value is written in hexadecimal, and its length counts
 * bytes. Nothing is ever cut: a value that does not fit is a `FieldError`, which names the field and never its value.
 */

export interface FieldFormat {
  /** `n` digits, `an` letters and digits, `ans` any printable text, `b` binary. */
  readonly type: 'n' | 'an' | 'ans' | 'b'
  /** The exact length, or the largest where the field has a prefix. */
  readonly length: number
  /** Digits of the length in front of a field of variable length: 2 for LLVAR, 3 for LLLVAR. */
  readonly prefix?: number | undefined
  /** Replaces the dialect's encoding of this type. */
  readonly encoding?: ValueEncoding | undefined
}

type ValueEncoding = 'ascii' | 'bcd' | 'binary' | 'hex'

export interface Encodings {
  readonly n: 'ascii' | 'bcd'
  readonly b: 'binary' | 'hex'
  readonly prefix: 'ascii' | 'bcd' | 'binary'
}

export class FieldError extends Error {
  override readonly name = 'FieldError'
}

export function writeField(number: number, format: FieldFormat, encodings: Encodings, value: string): Buffer {
  const { type, length, prefix } = format
  if (!alphabets[type].test(value)) throw new FieldError(`Field ${number} has a character that it must not have.`)
  if (sizeOf(type, value) > length) throw new FieldError(`Field ${number} is longer than the host takes.`)
  if (prefix !== undefined) {
    const size = sizeOf(type, value)
    return Buffer.concat([
      writeDigits(String(size).padStart(prefix, '0'), encodings.prefix),
      bytesOf(format, encodings, value),
    ])
  }
  const padded = type === 'n' ? value.padStart(length, '0') : type === 'b' ? value : value.padEnd(length)
  if (sizeOf(type, padded) !== length) throw new FieldError(`Field ${number} is shorter than the host takes.`)
  return bytesOf(format, encodings, padded)
}

/** `next` is where the following field begins. Throws `FieldError`. */
export function readField(
  number: number,
  format: FieldFormat,
  encodings: Encodings,
  { bytes, at }: { readonly bytes: Buffer; readonly at: number },
): { readonly value: string; readonly next: number } {
  const start = at + (format.prefix === undefined ? 0 : prefixBytes(format.prefix, encodings.prefix))
  const size =
    format.prefix === undefined ? format.length : readDigits(number, bytes.subarray(at, start), encodings.prefix)
  if (size > format.length) throw new FieldError(`Field ${number} is longer than the dialect says.`)
  const encoding = encodingOf(format, encodings)
  const next = start + byteLength(encoding, size)
  if (next > bytes.length) throw new FieldError(`The message ends inside field ${number}.`)
  const part = bytes.subarray(start, next)
  // An odd number of digits has a zero in front.
  const value = encoding === 'bcd' ? part.toString('hex').slice(-size) : textOf(encoding, part)
  if (!alphabets[format.type].test(value))
    throw new FieldError(`Field ${number} has a character that it must not have.`)
  return { value: format.type === 'b' ? value.toLowerCase() : value, next }
}

const alphabets = {
  n: /^[0-9]*$/,
  // Fixed fields are padded with spaces.
  an: /^[A-Za-z0-9 ]*$/,
  ans: /^[\x20-\x7e]*$/,
  b: /^(?:[0-9A-Fa-f]{2})*$/,
} as const

const sizeOf = (type: FieldFormat['type'], value: string): number => (type === 'b' ? value.length / 2 : value.length)

const encodingOf = ({ type, encoding }: FieldFormat, encodings: Encodings): ValueEncoding =>
  encoding ?? (type === 'n' || type === 'b' ? encodings[type] : 'ascii')

function byteLength(encoding: ValueEncoding, size: number): number {
  if (encoding === 'bcd') return Math.ceil(size / 2)
  return encoding === 'hex' ? size * 2 : size
}

function bytesOf(format: FieldFormat, encodings: Encodings, value: string): Buffer {
  const encoding = encodingOf(format, encodings)
  if (encoding === 'bcd') return Buffer.from(value.length % 2 === 0 ? value : `0${value}`, 'hex')
  if (encoding === 'binary') return Buffer.from(value, 'hex')
  return Buffer.from(encoding === 'hex' ? value.toUpperCase() : value, 'ascii')
}

const textOf = (encoding: ValueEncoding, bytes: Buffer): string =>
  bytes.toString(encoding === 'binary' ? 'hex' : 'latin1')

const prefixBytes = (digits: number, encoding: Encodings['prefix']): number => {
  if (encoding === 'ascii') return digits
  return encoding === 'bcd' ? Math.ceil(digits / 2) : digits > 2 ? 2 : 1
}

function writeDigits(digits: string, encoding: Encodings['prefix']): Buffer {
  if (encoding === 'ascii') return Buffer.from(digits, 'ascii')
  const width = prefixBytes(digits.length, encoding) * 2
  return Buffer.from((encoding === 'bcd' ? digits : Number(digits).toString(16)).padStart(width, '0'), 'hex')
}

function readDigits(number: number, bytes: Buffer, encoding: Encodings['prefix']): number {
  if (encoding === 'binary') return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length)
  const digits = bytes.toString(encoding === 'bcd' ? 'hex' : 'latin1')
  if (!/^[0-9]+$/.test(digits)) throw new FieldError(`Field ${number} has no length.`)
  return Number(digits)
}
