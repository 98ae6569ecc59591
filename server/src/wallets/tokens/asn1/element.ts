/**
 * Reads ASN.1 encodings one element at a time, and its children on demand.
 *
 * DER is read strictly, because certificates and signed attributes have one encoding only. The envelope of a signature may be BER:
 * indefinite lengths, non-minimal lengths, strings in pieces.
 *
 * Deliberately absent: tag numbers above 30, which no format here uses, and any recovery. Every deviation throws an `Asn1Error`; depth and
 * size are limited, so that the cost of any input is bounded by its length.
 */
import { Asn1Error } from './asn1-error.ts'

export type Rules = 'DER' | 'BER'

interface ElementParts {
  readonly source: Buffer
  readonly tag: number
  readonly from: number
  readonly start: number
  readonly end: number
  readonly to: number
  readonly rules: Rules
  readonly depth: number
}

/** Stores offsets and slices its bytes on demand: of most elements only the tag or the children are needed. */
export class Element {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number
  readonly rules: Rules
  readonly depth: number
  /** The bytes that it was read from. */
  readonly source: Buffer
  /** Offsets into the source: of the whole (`from`, `to`) and of the content (`start`, `end`). */
  readonly from: number
  readonly start: number
  readonly end: number
  readonly to: number

  constructor({ source, tag, from, start, end, to, rules, depth }: ElementParts) {
    this.source = source
    this.tag = tag
    this.from = from
    this.start = start
    this.end = end
    this.to = to
    this.rules = rules
    this.depth = depth
  }

  get content(): Buffer {
    return this.source.subarray(this.start, this.end)
  }

  /** Header, content and, in the indefinite form, the end mark. */
  get whole(): Buffer {
    return this.source.subarray(this.from, this.to)
  }
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

/** The single element in the bytes; anything after it is an error. */
export function readElement(bytes: Buffer, rules: Rules): Element {
  if (bytes.length > limits.bytes) throw new Asn1Error('Too long.')
  const element = elementAt(bytes, { from: 0, to: bytes.length }, rules, 0)
  if (element.to !== bytes.length) throw new Asn1Error('Bytes after the end.')
  return element
}

export function childrenOf(parent: Element): readonly Element[] {
  if ((parent.tag & constructedBit) === 0) throw new Asn1Error('Not made of elements.')
  const { source, rules, depth, end } = parent
  const children: Element[] = []
  for (let from = parent.start; from < end; ) {
    const child = elementAt(source, { from, to: end }, rules, depth + 1)
    children.push(child)
    from = child.to
  }
  return children
}

/** The same bytes under the stricter rules: signed content has one encoding, whatever its envelope uses. */
export function asDer(element: Element): Element {
  return element.rules === 'DER' ? element : readElement(element.whole, 'DER')
}

const limits = { bytes: 65_536, depth: 24 } as const
const constructedBit = 0x20
const endMarkLength = 2

interface Span {
  readonly from: number
  readonly to: number
}

/** The element that begins at `from` and must end by `to`. */
function elementAt(source: Buffer, { from, to }: Span, rules: Rules, depth: number): Element {
  if (depth > limits.depth) throw new Asn1Error('Nested too deeply.')
  const tag = source[from]
  const first = source[from + 1]
  if (tag === undefined || first === undefined || from + 2 > to) throw new Asn1Error('Cut short.')
  checkTag(tag, rules)
  if (first === 0x80) {
    if (rules === 'DER' || (tag & constructedBit) === 0) throw new Asn1Error('A length is missing.')
    const end = endMarkAfter(source, from + 2, to, depth)
    return new Element({ source, tag, from, start: from + 2, end, to: end + endMarkLength, rules, depth })
  }
  const octets = first < 0x80 ? 0 : first & 0x7f
  const start = from + 2 + octets
  if (octets > 4 || start > to) throw new Asn1Error('A length is damaged.')
  const end = start + (octets === 0 ? first : longLength(source, start, octets, rules))
  if (end > to) throw new Asn1Error('Cut short.')
  return new Element({ source, tag, from, start, end, to: end, rules, depth })
}

/** The position of the two zero octets that end an element of indefinite length. */
function endMarkAfter(source: Buffer, from: number, to: number, depth: number): number {
  let offset = from
  while (offset >= to || source[offset] !== 0) offset = elementAt(source, { from: offset, to }, 'BER', depth + 1).to
  if (offset + 1 >= to || source[offset + 1] !== 0) throw new Asn1Error('The end mark is damaged.')
  return offset
}

/** A length written in this many octets before `start`. */
function longLength(source: Buffer, start: number, octets: number, rules: Rules): number {
  const length = source.readUIntBE(start - octets, octets)
  if (rules === 'DER' && (length < 0x80 || source[start - octets] === 0)) {
    throw new Asn1Error('A length is longer than need be.')
  }
  return length
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
