/**
 * The numbers of a private key in PKCS#8, SEC1 or PKCS#1 (Chapter 40 §4.1, steps 4 to 6), checked against each other: an inconsistent key
 * would sign or decrypt with one half and publish the other.
 */
import { createECDH, type JsonWebKeyInput, type PrivateKeyInput } from 'node:crypto'
import { Asn1Error } from './asn1/asn1-error.ts'
import { readCertificate } from './asn1/certificate.ts'
import { childrenOf, contextTag, type Element, readElement, tags } from './asn1/element.ts'
import { oids } from './asn1/oids.ts'
import { naturalOf, octetsOf, oidOf, sequenceOf, smallNumberOf, wholeBitsOf } from './asn1/values.ts'
import { type EntryFault, entryFault, type FaultId } from './entry-fault.ts'
import { order } from './p256.ts'

type PrivateNumbers =
  | { readonly ok: true; readonly type: 'EC'; readonly key: JsonWebKeyInput }
  | { readonly ok: true; readonly type: 'RSA'; readonly key: PrivateKeyInput; readonly bits: number }
  | { readonly ok: false; readonly fault: EntryFault }

export function privateNumbers(der: Buffer): PrivateNumbers {
  try {
    return byShape(der)
  } catch (error) {
    if (error instanceof Asn1Error) return refuseEntry(isCertificate(der) ? 'K5' : 'K3')
    throw error
  }
}

/** The encodings differ in their first elements. */
function byShape(der: Buffer): PrivateNumbers {
  const fields = sequenceOf(readElement(der, 'DER'))
  const [first, second, third] = fields
  if (first?.tag === tags.sequence && second?.tag === tags.octetString) return refuseEntry('K4')
  if (first?.tag === tags.sequence && second?.tag === tags.bitString) return refuseEntry('K5')
  if (second?.tag === tags.sequence && third?.tag === tags.octetString) return fromPkcs8(fields)
  if (second?.tag === tags.octetString) return fromSec1(fields, null)
  if (second?.tag === tags.integer) return fromPkcs1(der)
  throw new Asn1Error('Not a key.')
}

function fromPkcs8([version, algorithm, key]: readonly Element[]): PrivateNumbers {
  if (smallNumberOf(version) > 1 || smallNumberOf(version) < 0) throw new Asn1Error('An unknown version.')
  const [type, parameters] = sequenceOf(algorithm)
  const inner = octetsOf(key)
  const oid = oidOf(type)
  if (oid === oids.rsaEncryption) return fromPkcs1(inner)
  if (oid !== oids.ecPublicKey) return refuseEntry('K7')
  if (parameters?.tag !== tags.oid) return refuseEntry('K7')
  return fromSec1(sequenceOf(readElement(inner, 'DER')), oidOf(parameters))
}

function fromSec1(fields: readonly Element[], outerCurve: string | null): PrivateNumbers {
  const [version, scalar] = fields
  if (smallNumberOf(version) !== 1) throw new Asn1Error('An unknown version.')
  const d = octetsOf(scalar)
  const parameters = taggedField(fields, 0)
  if (parameters !== undefined && parameters.tag !== tags.oid) return refuseEntry('K7')
  const curves = [outerCurve, parameters === undefined ? null : oidOf(parameters)].filter((curve) => curve !== null)
  if (curves.some((curve) => curve !== oids.p256) || d.length !== 32) return refuseEntry('K7')
  const value = BigInt(`0x${d.toString('hex')}`)
  if (value === 0n || value >= order) return refuseEntry('K8')
  const point = publicPoint(d)
  const embedded = taggedField(fields, 1)
  if (embedded !== undefined && !samePoint(wholeBitsOf(embedded), point)) return refuseEntry('K8')
  return { ok: true, type: 'EC', key: { format: 'jwk', key: jwk(d, point) } }
}

function taggedField(fields: readonly Element[], number: number): Element | undefined {
  const wrapper = fields.slice(2).find(({ tag }) => tag === contextTag(number))
  return wrapper === undefined ? undefined : childrenOf(wrapper)[0]
}

function publicPoint(d: Buffer): Buffer {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  return curve.getPublicKey()
}

/** The embedded point may be compressed; then only the parity of y is given. */
function samePoint(embedded: Buffer, point: Buffer): boolean {
  const odd = (point.at(-1) ?? 0) & 1
  return embedded.equals(point) || embedded.equals(Buffer.concat([Buffer.from([2 + odd]), point.subarray(1, 33)]))
}

function jwk(d: Buffer, point: Buffer) {
  const text = (bytes: Buffer): string => bytes.toString('base64url')
  return { kty: 'EC', crv: 'P-256', d: text(d), x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
}

function fromPkcs1(der: Buffer): PrivateNumbers {
  const [version, ...numbers] = sequenceOf(readElement(der, 'DER'))
  // Version 1 has more than two primes.
  if (smallNumberOf(version) !== 0) return refuseEntry('K7')
  const [n = 0n, e = 0n, d = 0n, p = 0n, q = 0n, dp = 0n, dq = 0n, inverse = 0n, ...more] = numbers.map(naturalOf)
  if (numbers.length < 8 || more.length > 0) throw new Asn1Error('Numbers are missing.')
  const plausible = p > 2n && q > 2n && p !== q && n === p * q && e >= 3n && e % 2n === 1n
  const fits =
    plausible &&
    [(e * d) % (p - 1n), (e * d) % (q - 1n), (inverse * q) % p].every((rest) => rest === 1n) &&
    dp === d % (p - 1n) &&
    dq === d % (q - 1n)
  if (!fits) return refuseEntry('K8')
  return { ok: true, type: 'RSA', key: { key: der, format: 'der', type: 'pkcs1' }, bits: n.toString(2).length }
}

function isCertificate(der: Buffer): boolean {
  try {
    return readCertificate(der).der === der
  } catch (error) {
    if (error instanceof Asn1Error) return false
    throw error
  }
}

function refuseEntry(id: FaultId): PrivateNumbers {
  return { ok: false, fault: entryFault(id) }
}
