/** Which fields a message has: one bit each, 64 in the first bitmap and 64 in the second, which the first bit announces. */
import { FieldError } from './field.ts'

const bitsPerMap = 64

export function writeBitmap(numbers: readonly number[], encoding: 'hex' | 'binary'): Buffer {
  const hasSecond = numbers.some((number) => number > bitsPerMap)
  const bits = Buffer.alloc(hasSecond ? 16 : 8)
  for (const number of hasSecond ? [1, ...numbers] : numbers) {
    const index = (number - 1) >> 3
    bits.writeUInt8(bits.readUInt8(index) | (0x80 >> ((number - 1) & 7)), index)
  }
  return encoding === 'binary' ? bits : Buffer.from(bits.toString('hex').toUpperCase(), 'ascii')
}

/** `next` is where the first field begins. Throws `FieldError`. */
export function readBitmap(
  bytes: Buffer,
  at: number,
  encoding: 'hex' | 'binary',
): { readonly numbers: readonly number[]; readonly next: number } {
  const width = encoding === 'hex' ? 16 : 8
  const first = readMap(bytes, at, { width, encoding })
  const hasSecond = isSet(first, 1)
  const bits = hasSecond ? Buffer.concat([first, readMap(bytes, at + width, { width, encoding })]) : first
  const numbers: number[] = []
  for (let number = 2; number <= bits.length * 8; number += 1) if (isSet(bits, number)) numbers.push(number)
  return { numbers, next: at + (hasSecond ? 2 : 1) * width }
}

function readMap(
  bytes: Buffer,
  at: number,
  { width, encoding }: { readonly width: number; readonly encoding: 'hex' | 'binary' },
): Buffer {
  const part = bytes.subarray(at, at + width)
  if (part.length < width) throw new FieldError('The message ends inside its bitmap.')
  if (encoding === 'binary') return Buffer.from(part)
  const text = part.toString('latin1')
  if (!/^[0-9A-Fa-f]+$/.test(text)) throw new FieldError('The bitmap is not hexadecimal.')
  return Buffer.from(text, 'hex')
}

const isSet = (bits: Buffer, number: number): boolean =>
  (bits.readUInt8((number - 1) >> 3) & (0x80 >> ((number - 1) & 7))) !== 0
