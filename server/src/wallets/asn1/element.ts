/**
 * The reader of ASN.1 encodings: one element at a time, its children when they are asked for.
 *
 * DER is read strictly, since certificates and signed attributes have one encoding only. BER is what the envelope of a
 * signature may use: lengths of indefinite form, lengths longer than need be, strings in pieces.
 *
 * What is deliberately not here: tag numbers above 30, which no format of ours uses, and any recovery. Whatever is not
 * exactly right ends in an `Asn1Error`; depth and size are bounded, so that no input costs more than its own length.
 */
import { Asn1Error } from './asn1-error.ts'

export type Rules = 'DER' | 'BER'

export interface Element {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number
  readonly content: Buffer
  /** Header, content and, in the indefinite form, the end mark. */
  readonly whole: Buffer
  readonly rules: Rules
  readonly depth: number
}

// biome-ignore format: a table is read in columns.
export const tags = {
  boolean: 0x01,  integer: 0x02,    bitString: 0x03,        octetString: 0x04,  null: 0x05,
  oid: 0x06,      utf8String: 0x0c, printableString: 0x13,  ia5String: 0x16,    utcTime: 0x17,
  generalizedTime: 0x18,            sequence: 0x30,         set: 0x31,
} as const

/** `[n]` around other elements, or in place of a constructed one. */
export const contextTag = (number: number): number => 0xa0 | number
/** `[n]` in place of a primitive one. */
export const primitiveContextTag = (number: number): number => 0x80 | number

/** The one element that the bytes hold; anything after it is a fault. */
export function readElement(bytes: Buffer, rules: Rules): Element {
  if (bytes.length > limits.bytes) throw new Asn1Error('Too long.')
  const element = elementAt(bytes, 0, rules, 0)
  if (element.whole.length !== bytes.length) throw new Asn1Error('Bytes after the end.')
  return element
}

export function childrenOf(parent: Element): readonly Element[] {
  if ((parent.tag & constructedBit) === 0) throw new Asn1Error('Not made of elements.')
  const children: Element[] = []
  let offset = 0
  while (offset < parent.content.length) {
    const child = elementAt(parent.content, offset, parent.rules, parent.depth + 1)
    children.push(child)
    offset += child.whole.length
  }
  return children
}

/** The same bytes under the stricter rules: what is signed has one encoding, whatever its envelope uses. */
export function asDer(element: Element): Element {
  return element.rules === 'DER' ? element : readElement(element.whole, 'DER')
}

const limits = { bytes: 65_536, depth: 24 } as const
const constructedBit = 0x20
const endMarkLength = 2
const indefinite = -1

interface Header {
  readonly tag: number
  /** Of the content; -1 for the indefinite form. */
  readonly length: number
  readonly start: number
}

function elementAt(bytes: Buffer, offset: number, rules: Rules, depth: number): Element {
  if (depth > limits.depth) throw new Asn1Error('Nested too deeply.')
  const { tag, length, start } = headerAt(bytes, offset, rules)
  if (length !== indefinite) {
    const end = start + length
    if (end > bytes.length) throw new Asn1Error('Cut short.')
    return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end), rules, depth }
  }
  const end = endMarkAfter(bytes, start, depth)
  const whole = bytes.subarray(offset, end + endMarkLength)
  return { tag, content: bytes.subarray(start, end), whole, rules, depth }
}

/** Where the two zero octets stand that end an element of indefinite length. */
function endMarkAfter(bytes: Buffer, start: number, depth: number): number {
  let offset = start
  while (bytes[offset] !== 0) offset += elementAt(bytes, offset, 'BER', depth + 1).whole.length
  if (bytes[offset + 1] !== 0) throw new Asn1Error('The end mark is damaged.')
  return offset
}

function headerAt(bytes: Buffer, offset: number, rules: Rules): Header {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw new Asn1Error('Cut short.')
  checkTag(tag, rules)
  const start = offset + 2
  if (first < 0x80) return { tag, length: first, start }
  if (first === 0x80) {
    if (rules === 'DER' || (tag & constructedBit) === 0) throw new Asn1Error('A length is missing.')
    return { tag, length: indefinite, start }
  }
  return longHeader(bytes, { tag, length: first & 0x7f, start }, rules)
}

function longHeader(bytes: Buffer, { tag, length: octets, start }: Header, rules: Rules): Header {
  if (octets > 4 || start + octets > bytes.length) throw new Asn1Error('A length is damaged.')
  const length = bytes.readUIntBE(start, octets)
  if (rules === 'DER' && (length < 0x80 || bytes[start] === 0)) throw new Asn1Error('A length is longer than need be.')
  return { tag, length, start: start + octets }
}

const strings: readonly number[] = [
  tags.bitString,
  tags.octetString,
  tags.utf8String,
  tags.printableString,
  tags.ia5String,
]

function checkTag(tag: number, rules: Rules): void {
  const number = tag & 0x1f
  if (number === 0x1f) throw new Asn1Error('The tag is too large.')
  if ((tag & 0xc0) !== 0) return
  const inPieces = (tag & constructedBit) !== 0
  const isList = number === 0x10 || number === 0x11
  if (number === 0) throw new Asn1Error('An end mark without a beginning.')
  if (isList !== inPieces && !(rules === 'BER' && strings.includes(number)))
    throw new Asn1Error('The form does not fit the tag.')
}
