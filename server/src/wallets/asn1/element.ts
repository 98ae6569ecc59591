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

/** Knows where it stands and cuts its bytes out when asked: of most elements only the tag or the children matter. */
export class Element {
  /** The identifier octet: class, constructed bit and number. */
  readonly tag: number
  readonly rules: Rules
  readonly depth: number
  /** What it was read from; it stands there as `place` says. */
  readonly source: Buffer
  readonly place: Place

  constructor(source: Buffer, tag: number, place: Place, rules: Rules, depth: number) {
    this.source = source
    this.tag = tag
    this.place = place
    this.rules = rules
    this.depth = depth
  }

  get content(): Buffer {
    return this.source.subarray(this.place.start, this.place.end)
  }

  /** Header, content and, in the indefinite form, the end mark. */
  get whole(): Buffer {
    return this.source.subarray(this.place.from, this.place.to)
  }
}

/** Offsets into the source: of the whole (`from`, `to`) and of the content (`start`, `end`). */
interface Place {
  readonly from: number
  readonly start: number
  readonly end: number
  readonly to: number
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
  const element = elementAt(bytes, { from: 0, to: bytes.length }, rules, 0)
  if (element.place.to !== bytes.length) throw new Asn1Error('Bytes after the end.')
  return element
}

export function childrenOf(parent: Element): readonly Element[] {
  if ((parent.tag & constructedBit) === 0) throw new Asn1Error('Not made of elements.')
  const { source, rules, depth, place } = parent
  const children: Element[] = []
  for (let from = place.start; from < place.end; ) {
    const child = elementAt(source, { from, to: place.end }, rules, depth + 1)
    children.push(child)
    from = child.place.to
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

/** Where an element begins, and where it must have ended. */
type Room = Pick<Place, 'from' | 'to'>

function elementAt(source: Buffer, { from, to }: Room, rules: Rules, depth: number): Element {
  if (depth > limits.depth) throw new Asn1Error('Nested too deeply.')
  const { tag, length, start } = headerAt(source, { from, to }, rules)
  if (length === indefinite) {
    const end = endMarkAfter(source, { from: start, to }, depth)
    return new Element(source, tag, { from, start, end, to: end + endMarkLength }, rules, depth)
  }
  const end = start + length
  if (end > to) throw new Asn1Error('Cut short.')
  return new Element(source, tag, { from, start, end, to: end }, rules, depth)
}

/** Where the two zero octets stand that end an element of indefinite length. */
function endMarkAfter(source: Buffer, { from, to }: Room, depth: number): number {
  let offset = from
  while (offset >= to || source[offset] !== 0) {
    offset = elementAt(source, { from: offset, to }, 'BER', depth + 1).place.to
  }
  if (offset + 1 >= to || source[offset + 1] !== 0) throw new Asn1Error('The end mark is damaged.')
  return offset
}

function headerAt(source: Buffer, { from, to }: Room, rules: Rules): Header {
  const start = from + 2
  const tag = source[from]
  const first = source[from + 1]
  if (tag === undefined || first === undefined || start > to) throw new Asn1Error('Cut short.')
  checkTag(tag, rules)
  if (first < 0x80) return { tag, length: first, start }
  if (first === 0x80) {
    if (rules === 'DER' || (tag & constructedBit) === 0) throw new Asn1Error('A length is missing.')
    return { tag, length: indefinite, start }
  }
  return longHeader(source, { tag, length: first & 0x7f, start }, to, rules)
}

function longHeader(source: Buffer, { tag, length: octets, start }: Header, to: number, rules: Rules): Header {
  if (octets > 4 || start + octets > to) throw new Asn1Error('A length is damaged.')
  const length = source.readUIntBE(start, octets)
  if (rules === 'DER' && (length < 0x80 || source[start] === 0)) throw new Asn1Error('A length is longer than need be.')
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
