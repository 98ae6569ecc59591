/**
 * CMS SignedData with one signer and no content: the form in which wallet A signs (Chapter 40 §11.2, A4).
 *
 * The envelope may be BER. Signed attributes are always DER, because their encoding is what is signed. Revocation lists and unsigned
 * attributes are refused: no token has them, and no signature covers them.
 */
import { Asn1Error } from './asn1-error.ts'
import { asDer, childrenOf, contextTag, type Element, primitiveContextTag, readElement, tags } from './element.ts'
import { oids } from './oids.ts'
import { expectTag, integerOf, octetsOf, oidOf, sequenceOf, setOf, smallNumberOf } from './values.ts'
import { encode } from './writer.ts'

export interface SignedData {
  /** As encoded: a cached certificate is found by its bytes. */
  readonly certificates: readonly Buffer[]
  readonly signer: SignerName
  readonly signatureAlgorithm: Algorithm
  readonly signature: Buffer
  /** Null if the signer signed the content directly. */
  readonly attributes: readonly Attribute[] | null
}

type SignerName =
  | { readonly by: 'serial'; readonly issuer: Buffer; readonly serial: string }
  | { readonly by: 'key'; readonly keyIdentifier: Buffer }

export interface Algorithm {
  readonly oid: string
  /** Whether the parameters are absent or NULL, the only ones that the supported algorithms have. */
  readonly plain: boolean
}

export interface Attribute {
  readonly oid: string
  readonly values: readonly Element[]
  readonly der: Buffer
}

export function readSignedData(bytes: Buffer): SignedData {
  const [type, wrapper, ...more] = sequenceOf(readElement(bytes, 'BER'))
  if (oidOf(type) !== oids.signedData || more.length > 0) throw new Asn1Error('Not signed data.')
  const [version, digests, content, ...rest] = sequenceOf(onlyChild(expectTag(wrapper, contextTag(0))))
  const certificates = rest[0]?.tag === contextTag(0) ? childrenOf(rest[0]) : []
  const [signers, ...extra] = rest[0]?.tag === contextTag(0) ? rest.slice(1) : rest
  const [signer, ...others] = setOf(signers)
  if (signer === undefined || others.length > 0 || extra.length > 0) throw new Asn1Error('Not exactly one signer.')
  checkContent(content)
  checkDigests(setOf(digests))
  const info = readSigner(signer)
  if (smallNumberOf(version) !== (info.signer.by === 'serial' ? 1 : 3)) throw new Asn1Error('An unknown version.')
  return { certificates: certificates.map((certificate) => certificate.whole), ...info }
}

/** The DER encoding of the attributes as SET OF, which is what the signature covers. */
export function signedBytesOf(attributes: readonly Attribute[]): Buffer {
  const content = Buffer.concat(attributes.map(({ der }) => der).toSorted((one, two) => one.compare(two)))
  return encode(tags.set, content)
}

export function algorithmOf(fields: readonly Element[]): Algorithm {
  const [type, parameters, ...more] = fields
  const none = parameters === undefined || (parameters.tag === tags.null && parameters.content.length === 0)
  return { oid: oidOf(type), plain: none && more.length === 0 }
}

function onlyChild(parent: Element): Element {
  const [child, ...more] = childrenOf(parent)
  if (child === undefined || more.length > 0) throw new Asn1Error('Not exactly one element.')
  return child
}

/** A4 requires plain data with detached content: the token itself is the content. */
function checkContent(info: Element | undefined): void {
  const [type, content] = sequenceOf(info)
  if (oidOf(type) !== oids.data || content !== undefined) throw new Asn1Error('The content is not detached data.')
}

function checkDigests(algorithms: readonly Element[]): void {
  if (algorithms.length !== 1) throw new Asn1Error('Not exactly one digest.')
  for (const algorithm of algorithms) checkDigest(algorithm)
}

function checkDigest(element: Element | undefined): void {
  const { oid, plain } = algorithmOf(sequenceOf(element))
  if (oid !== oids.sha256 || !plain) throw new Asn1Error('The digest is not SHA-256.')
}

function readSigner(info: Element): Omit<SignedData, 'certificates'> {
  const [version, name, digest, ...rest] = sequenceOf(info)
  const signer = readName(name)
  if (smallNumberOf(version) !== (signer.by === 'serial' ? 1 : 3)) throw new Asn1Error('An unknown version.')
  checkDigest(digest)
  const attributes = rest[0]?.tag === contextTag(0) ? childrenOf(rest[0]).map(readAttribute) : null
  const [algorithm, signature, ...more] = attributes === null ? rest : rest.slice(1)
  if (more.length > 0) throw new Asn1Error('Unsigned attributes are not allowed.')
  return {
    signer,
    signatureAlgorithm: algorithmOf(sequenceOf(algorithm)),
    signature: octetsOf(signature),
    attributes,
  }
}

function readName(name: Element | undefined): SignerName {
  if (name?.tag === primitiveContextTag(0)) return { by: 'key', keyIdentifier: name.content }
  const [issuer, serial, ...more] = sequenceOf(name)
  if (more.length > 0) throw new Asn1Error('The signer is not named.')
  const derIssuer = asDer(expectTag(issuer, tags.sequence)).whole
  return { by: 'serial', issuer: derIssuer, serial: integerOf(serial).toString('hex') }
}

function readAttribute(element: Element): Attribute {
  const [type, values, ...more] = sequenceOf(asDer(element))
  if (more.length > 0) throw new Asn1Error('An attribute is damaged.')
  return { oid: oidOf(type), values: setOf(values), der: element.whole }
}
