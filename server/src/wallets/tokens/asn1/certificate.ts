/** X.509 certificates, as far as wallet chains and merchants' certificates need them. Strict DER only. */
import { hash } from 'node:crypto'
import { Asn1Error } from './asn1-error.ts'
import { childrenOf, contextTag, type Element, primitiveContextTag, readElement, tags } from './element.ts'
import { oids } from './oids.ts'
import {
  booleanOf,
  expectTag,
  integerOf,
  namedBitsOf,
  octetsOf,
  oidOf,
  sequenceOf,
  setOf,
  smallNumberOf,
  timeOf,
  wholeBitsOf,
} from './values.ts'

export interface Certificate {
  readonly der: Buffer
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string
  /** What the issuer signed. */
  readonly signedBytes: Buffer
  readonly signatureAlgorithm: string
  readonly signature: Buffer
  /** Hexadecimal, as encoded. */
  readonly serial: string
  /** Names as encoded: they are compared, not interpreted. */
  readonly issuer: Buffer
  readonly subject: Buffer
  /** The only part of a name that is read: a wallet provider puts the Merchant Identifier there. */
  readonly subjectUserId: string | null
  readonly validFrom: Date
  readonly validUntil: Date
  /** The public key as SubjectPublicKeyInfo. */
  readonly spki: Buffer
  readonly extensions: ReadonlyMap<string, Extension>
  readonly isAuthority: boolean
  /** How many further authorities may follow; null without a limit. */
  readonly pathLength: number | null
  /** Null if the certificate does not restrict its key. */
  readonly keyUsage: ReadonlySet<number> | null
}

interface Extension {
  readonly critical: boolean
  readonly value: Buffer
}

/** Bits of keyUsage. */
export const keyUsages = { digitalSignature: 0, keyCertSign: 5 } as const

export function readCertificate(der: Buffer): Certificate {
  const [tbs, algorithm, signature, ...more] = sequenceOf(readElement(der, 'DER'))
  if (tbs === undefined || algorithm === undefined || more.length > 0) throw new Asn1Error('Not a certificate.')
  const body = readBody(tbs)
  // The algorithm is named inside and outside the signed part; only the inner one is protected.
  if (!body.algorithm.whole.equals(algorithm.whole)) throw new Asn1Error('The algorithms of a certificate differ.')
  const { extensions } = body
  return {
    der,
    fingerprint: hash('sha256', der, 'hex'),
    signedBytes: tbs.whole,
    signatureAlgorithm: oidOf(sequenceOf(algorithm)[0]),
    signature: wholeBitsOf(signature),
    serial: body.serial,
    issuer: body.issuer,
    subject: body.subject,
    subjectUserId: nameAttribute(body.subject, oids.userId),
    validFrom: body.validFrom,
    validUntil: body.validUntil,
    spki: body.spki,
    extensions,
    ...basicConstraints(extensions.get(oids.basicConstraints)),
    keyUsage: keyUsage(extensions.get(oids.keyUsage)),
  }
}

/** The text of an extension whose value is one string, with or without its own header. */
export function extensionText({ value }: Extension): string {
  const [tag = 0, length] = value
  const wrapped = [...texts, tags.octetString as number].includes(tag) && length === value.length - 2
  return value.subarray(wrapped ? 2 : 0).toString('utf8')
}

const texts: readonly number[] = [tags.utf8String, tags.printableString, tags.ia5String]

/** An attribute of a name; null if it is missing or not text. */
function nameAttribute(name: Buffer, oid: string): string | null {
  const attributes = sequenceOf(readElement(name, 'DER')).flatMap(setOf).map(sequenceOf)
  const [, value] = attributes.find(([type]) => oidOf(type) === oid) ?? []
  return value !== undefined && texts.includes(value.tag) ? value.content.toString('utf8') : null
}

function readBody(tbs: Element) {
  const fields = [...sequenceOf(tbs)]
  const version = fields[0]?.tag === contextTag(0) ? smallNumberOf(childrenOf(fields.splice(0, 1)[0] ?? tbs)[0]) : 0
  const [serial, algorithm, issuer, validity, subject, spki, ...rest] = fields
  const [validFrom, validUntil, ...more] = sequenceOf(validity)
  if (more.length > 0) throw new Asn1Error('A validity is damaged.')
  const allowed = [primitiveContextTag(1), primitiveContextTag(2), contextTag(3)]
  if (rest.some(({ tag }) => !allowed.includes(tag))) throw new Asn1Error('An unknown part of a certificate.')
  const extensions = rest.find(({ tag }) => tag === contextTag(3))
  if (extensions !== undefined && version !== 2) throw new Asn1Error('Extensions in a certificate without them.')
  return {
    serial: serialOf(serial),
    algorithm: expectTag(algorithm, tags.sequence),
    issuer: expectTag(issuer, tags.sequence).whole,
    validFrom: timeOf(validFrom),
    validUntil: timeOf(validUntil),
    subject: expectTag(subject, tags.sequence).whole,
    spki: expectTag(spki, tags.sequence).whole,
    extensions: extensions === undefined ? new Map<string, Extension>() : readExtensions(extensions),
  }
}

/** A serial has at most twenty octets plus one for the sign; longer ones would only fill our records. */
function serialOf(element: Element | undefined): string {
  const octets = integerOf(element)
  if (octets.length > 21) throw new Asn1Error('A serial is too long.')
  return octets.toString('hex')
}

function readExtensions(wrapper: Element): ReadonlyMap<string, Extension> {
  const [list, ...more] = childrenOf(wrapper)
  if (more.length > 0) throw new Asn1Error('Extensions are damaged.')
  const found = new Map<string, Extension>()
  for (const entry of sequenceOf(list)) {
    const [type, second, third, ...extra] = sequenceOf(entry)
    const flagged = second?.tag === tags.boolean
    const value = octetsOf(flagged ? third : second)
    const oid = oidOf(type)
    if (found.has(oid) || extra.length > 0 || (!flagged && third !== undefined)) {
      throw new Asn1Error('An extension is damaged or stands twice.')
    }
    found.set(oid, { critical: flagged && booleanOf(second), value })
  }
  return found
}

function basicConstraints(extension: Extension | undefined): Pick<Certificate, 'isAuthority' | 'pathLength'> {
  if (extension === undefined) return { isAuthority: false, pathLength: null }
  const [first, second] = sequenceOf(readElement(extension.value, 'DER'))
  const isAuthority = first?.tag === tags.boolean && booleanOf(first)
  return { isAuthority, pathLength: second === undefined ? null : smallNumberOf(second) }
}

function keyUsage(extension: Extension | undefined): ReadonlySet<number> | null {
  return extension === undefined ? null : namedBitsOf(readElement(extension.value, 'DER'))
}
