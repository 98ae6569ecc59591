/** A DER encoder with the types that certificates and signatures need. */
type Part = Buffer | readonly Part[]

export function encode(tag: number, ...parts: readonly Part[]): Buffer {
  const content = joinParts(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content])
}

export const sequence = (...parts: readonly Part[]): Buffer => encode(0x30, ...parts)
export const octets = (...parts: readonly Part[]): Buffer => encode(0x04, ...parts)
export const bits = (bytes: Buffer, unused = 0): Buffer => encode(0x03, Buffer.from([unused]), bytes)
export const context = (number: number, ...parts: readonly Part[]): Buffer => encode(0xa0 | number, ...parts)
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text))
export const truth = (value: boolean): Buffer => encode(0x01, Buffer.from([value ? 0xff : 0]))
export const derNull = encode(0x05)

/** DER orders the members of a set by their encodings. */
export function setOf(...parts: readonly Buffer[]): Buffer {
  return encode(0x31, inOrder(parts))
}

export const inOrder = (parts: readonly Buffer[]): readonly Buffer[] => parts.toSorted((one, two) => one.compare(two))

export function integer(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const looksNegative = (bytes[0] ?? 0) >= 0x80
  return encode(0x02, looksNegative ? Buffer.from([0]) : [], bytes)
}

export function oid(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  return encode(0x06, Buffer.from([first * 40n + second, ...rest].flatMap(base128)))
}

/** UTCTime as long as a two-digit year suffices. */
export function time(moment: Date): Buffer {
  const digits = `${moment.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  const short = moment.getUTCFullYear() < 2050
  return short ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}

function joinParts(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : joinParts(part))))
}

function lengthOf({ length }: Buffer): readonly number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}

function base128(arc: bigint): readonly number[] {
  const groups = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) groups.unshift(Number(rest & 0x7fn) | 0x80)
  return groups
}
