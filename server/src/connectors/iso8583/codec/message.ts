/** A message of ISO 8583: its type, and its fields as text by their numbers. */
import { readBitmap, writeBitmap } from './bitmap.ts'
import { type Encodings, FieldError, type FieldFormat, readField, writeField } from './field.ts'

export interface Message {
  readonly mti: string
  readonly fields: ReadonlyMap<number, string>
}

/** What of a dialect the codec needs. */
export interface MessageFormat {
  /** In front of every message: hexadecimal as we send it. The host's own is as long, and not looked at. */
  readonly header: string
  readonly mti: 'ascii' | 'bcd'
  readonly bitmap: 'hex' | 'binary'
  readonly encodings: Encodings
  readonly fields: Readonly<Record<string, FieldFormat>>
}

/** Throws `FieldError`. */
export function packMessage(format: MessageFormat, { mti, fields }: Message): Buffer {
  const numbers = [...fields.keys()].toSorted((a, b) => a - b)
  const parts = numbers.map((number) =>
    writeField(number, formatOf(format, number), format.encodings, fields.get(number) ?? ''),
  )
  return Buffer.concat([
    Buffer.from(format.header, 'hex'),
    Buffer.from(mti, format.mti === 'bcd' ? 'hex' : 'ascii'),
    writeBitmap(numbers, format.bitmap),
    ...parts,
  ])
}

/** Throws `FieldError` on anything that is not a whole message of the dialect. The bytes must not change afterwards. */
export function unpackMessage(format: MessageFormat, bytes: Buffer): Message {
  const known = unpacked.get(bytes)
  if (known?.format === format) return known.message
  const message = unpack(format, bytes)
  unpacked.set(bytes, { format, message })
  return message
}

/** A line looks at a message several times: to which request it belongs, whether the host asks for something, and what it says. */
const unpacked = new WeakMap<Buffer, { readonly format: MessageFormat; readonly message: Message }>()

function unpack(format: MessageFormat, bytes: Buffer): Message {
  const start = format.header.length / 2
  const end = start + (format.mti === 'bcd' ? 2 : 4)
  const mti = bytes.subarray(start, end).toString(format.mti === 'bcd' ? 'hex' : 'latin1')
  if (!/^[0-9]{4}$/.test(mti)) throw new FieldError('The message has no type.')
  const { numbers, next } = readBitmap(bytes, end, format.bitmap)
  const fields = new Map<number, string>()
  let at = next
  for (const number of numbers) {
    const field = readField(number, formatOf(format, number), format.encodings, { bytes, at })
    fields.set(number, field.value)
    at = field.next
  }
  if (at !== bytes.length) throw new FieldError('The message is longer than its fields.')
  return { mti, fields }
}

function formatOf({ fields }: MessageFormat, number: number): FieldFormat {
  const format = fields[number]
  if (!format) throw new FieldError(`The dialect has no field ${number}.`)
  return format
}

/** The type of the answer: an advice and its repetitions have the same. */
export function answerType(mti: string): string {
  const [version = '', kind = '', step = '', origin = ''] = mti
  return `${version}${kind}${Number(step) + 1}${Number(origin) & ~1}`
}

/** Requests and advices have an even third digit, their answers an odd one. */
export const isAnswer = (mti: string): boolean => Number(mti[2]) % 2 === 1
