/** Values of single elements: identifiers, numbers, strings, times. Every function checks the tag that it needs. */
import { Asn1Error } from './asn1-error.ts'
import { childrenOf, type Element, tags } from './element.ts'
import { oids } from './oids.ts'

/** The element, if it exists and has the tag. */
export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new Asn1Error('Another element was expected.')
  return element
}

export function sequenceOf(element: Element | undefined): readonly Element[] {
  return childrenOf(expectTag(element, tags.sequence))
}

export function setOf(element: Element | undefined): readonly Element[] {
  return childrenOf(expectTag(element, tags.set))
}

/** Dotted, as `1.2.840.10045.2.1`. */
export function oidOf(element: Element | undefined): string {
  const { content } = expectTag(element, tags.oid)
  const octets = content.toString('latin1')
  return decodedOids.get(octets) ?? cacheKnown(octets, dottedForm(content))
}

/** The known identifiers by their octets: a token names a dozen of them, and decoding one takes longer than a look-up. */
const decodedOids = new Map<string, string>()
const usedOids: ReadonlySet<string> = new Set(Object.values(oids))

/** Others are not cached, so that an attacker cannot fill the memory. */
function cacheKnown(octets: string, oid: string): string {
  if (usedOids.has(oid)) decodedOids.set(octets, oid)
  return oid
}

function dottedForm(content: Buffer): string {
  if (content.length > maxOidLength) throw new Asn1Error('An identifier is damaged.')
  const [first, ...rest] = arcsOf(content)
  if (first === undefined) throw new Asn1Error('An identifier is damaged.')
  const root = first < 40 ? 0 : first < 80 ? 1 : 2
  return [root, typeof first === 'bigint' ? first - 80n : first - root * 40, ...rest].join('.')
}

const maxOidLength = 64
/** A larger arc might overflow a number with seven more bits; some arcs have 128 bits. */
const widest = 2 ** 45

function arcsOf(content: Buffer): readonly (number | bigint)[] {
  const arcs: (number | bigint)[] = []
  let arc: number | bigint = 0
  let begun = false
  for (const octet of content) {
    if (!begun && octet === 0x80) throw new Asn1Error('An identifier is damaged.')
    if (typeof arc === 'number' && arc > widest) arc = BigInt(arc)
    arc = typeof arc === 'bigint' ? (arc << 7n) | BigInt(octet & 0x7f) : arc * 128 + (octet & 0x7f)
    begun = octet >= 0x80
    if (begun) continue
    arcs.push(arc)
    arc = 0
  }
  if (begun) throw new Asn1Error('An identifier is damaged.')
  return arcs
}

/** The octets of a number in their shortest form, including the sign. */
export function integerOf(element: Element | undefined): Buffer {
  const { content } = expectTag(element, tags.integer)
  const [first, second = 0] = content
  const padded = content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (first === undefined || padded) throw new Asn1Error('A number is damaged.')
  return content
}

/** A number that must not be negative. */
export function naturalOf(element: Element | undefined): bigint {
  const octets = integerOf(element)
  if ((octets[0] ?? 0) >= 0x80) throw new Asn1Error('A number is below zero.')
  return BigInt(`0x${octets.toString('hex')}`)
}

export function smallNumberOf(element: Element | undefined): number {
  const octets = integerOf(element)
  if (octets.length > 4) throw new Asn1Error('A number is too large.')
  return octets.readIntBE(0, octets.length)
}

export function booleanOf(element: Element): boolean {
  const { content, rules } = expectTag(element, tags.boolean)
  const [octet] = content
  const known = octet === 0xff || octet === 0 || rules === 'BER'
  if (octet === undefined || content.length !== 1 || !known) throw new Asn1Error('A truth value is damaged.')
  return octet !== 0
}

/** An octet string; BER may send it in pieces. */
export function octetsOf(element: Element | undefined): Buffer {
  if (element?.tag !== (tags.octetString | 0x20)) return expectTag(element, tags.octetString).content
  return Buffer.concat(childrenOf(element).map(octetsOf))
}

/** A bit string of whole octets, as keys and signatures are. */
export function wholeBitsOf(element: Element | undefined): Buffer {
  const { bytes, unused } = bitsOf(element)
  if (unused !== 0) throw new Asn1Error('Bits are missing.')
  return bytes
}

/** The numbers of the set bits, the first being 0. */
export function namedBitsOf(element: Element | undefined): ReadonlySet<number> {
  const { bytes } = bitsOf(element)
  const numbers = Array.from({ length: bytes.length * 8 }, (_, number) => number)
  return new Set(numbers.filter((number) => ((bytes[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0))
}

function bitsOf(element: Element | undefined): { readonly bytes: Buffer; readonly unused: number } {
  const { content } = expectTag(element, tags.bitString)
  const [unused = 8] = content
  const bytes = content.subarray(1)
  const last = bytes.at(-1) ?? 0
  if (unused > 7 || (unused > 0 && bytes.length === 0) || (last & ((1 << unused) - 1)) !== 0) {
    throw new Asn1Error('A string of bits is damaged.')
  }
  return { bytes, unused }
}

/** UTCTime or GeneralizedTime in the form that certificates require: with seconds, in UTC. */
export function timeOf(element: Element | undefined): Date {
  const { tag, content } = element ?? noElement
  if (tag !== tags.utcTime && tag !== tags.generalizedTime) throw new Asn1Error('A time is damaged.')
  const yearDigits = tag === tags.utcTime ? 2 : 4
  if (content.length !== yearDigits + 11 || content[yearDigits + 10] !== letterZ)
    throw new Asn1Error('A time is damaged.')
  const written = digitsAt(content, 0, yearDigits)
  const year = tag === tags.utcTime ? written + (written < 50 ? 2000 : 1900) : written
  const part = (index: number): number => digitsAt(content, yearDigits + 2 * index, 2)
  return instantOf({ year, month: part(0), day: part(1), hour: part(2), minute: part(3), second: part(4) })
}

const noElement = { tag: 0, content: Buffer.alloc(0) }
const letterZ = 0x5a
const codeOfZero = 0x30

/** Read octet by octet: a token contains its time twice, and slicing and parsing text takes ten times as long. */
function digitsAt(content: Buffer, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = (content[at] ?? 0) - codeOfZero
    if (digit < 0 || digit > 9) throw new Asn1Error('A time is damaged.')
    value = value * 10 + digit
  }
  return value
}

interface UtcTime {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

function instantOf({ year, month, day, hour, minute, second }: UtcTime): Date {
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // Date.UTC would turn a nonexistent day into the next month, and a two-digit year into another century.
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && time.getUTCFullYear() === year
  if (!exists || hour > 23 || minute > 59 || second > 59) throw new Asn1Error('A time is damaged.')
  return time
}
