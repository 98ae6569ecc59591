/** Who signed a wallet A token, what and when (Chapter 40 §11.2, A7 to A11). */
import { hash, verify } from 'node:crypto'
import { Asn1Error } from '../asn1/asn1-error.ts'
import type { Certificate } from '../asn1/certificate.ts'
import { childrenOf, contextTag, type Element, readElement } from '../asn1/element.ts'
import { oids } from '../asn1/oids.ts'
import { type Algorithm, type Attribute, algorithmOf, type SignedData, signedBytesOf } from '../asn1/signed-data.ts'
import { octetsOf, oidOf, sequenceOf, timeOf } from '../asn1/values.ts'
import { CheckFailed, demand, present } from '../check-sheet.ts'
import type { KnownCertificates } from '../known-certificates.ts'
import { pointOfSpki } from '../p256.ts'
import type { TokenBytes, WalletAVersion } from './wallet-a-structure.ts'

interface Attributes {
  readonly messageDigest: Buffer
  readonly signingTime: Date
  readonly signedBytes: Buffer
}

/** The signing time before the attributes are checked; null if it cannot be read. */
export function claimedSigningTime({ attributes }: SignedData): Date | null {
  const claim = attributes?.find(({ oid }) => oid === oids.signingTime)
  try {
    return claim === undefined ? null : timeOf(claim.values[0])
  } catch (error) {
    if (error instanceof Asn1Error) return null
    throw error
  }
}

/** A7. */
export function checkSigner(
  signed: SignedData,
  leaf: Certificate,
  version: WalletAVersion,
  known: KnownCertificates,
): void {
  demand(namesLeaf(signed, leaf), 'the signer is not the leaf')
  const key = present(known.keyOf(leaf), 'the key of the leaf is not usable')
  const { oid, plain } = signed.signatureAlgorithm
  const fits =
    version === 'EC_v1'
      ? pointOfSpki(leaf.spki) !== null && oid === oids.ecdsaWithSha256
      : key.asymmetricKeyType === 'rsa' && (oid === oids.rsaWithSha256 || oid === oids.rsaEncryption)
  demand(fits && plain, 'the key or the algorithm does not fit the version')
}

/** A8. */
export function readAttributes({ attributes, signatureAlgorithm }: SignedData): Attributes {
  const signed = present(attributes, 'no signed attributes')
  demand(oidOf(singleAttribute(signed, oids.contentType)) === oids.data, 'another content type')
  for (const { oid, values } of signed) {
    if (oid === oids.algorithmProtection) checkProtection(values, signatureAlgorithm)
  }
  return {
    messageDigest: octetsOf(singleAttribute(signed, oids.messageDigest)),
    signingTime: timeOf(singleAttribute(signed, oids.signingTime)),
    signedBytes: signedBytesOf(signed),
  }
}

/** A9. */
export function checkDigest({ keyBytes, data, transactionId, applicationData }: TokenBytes, digest: Buffer): void {
  const signed = Buffer.concat([keyBytes, data, transactionId, applicationData ?? nothing])
  // Compared as text, because in Node a digest with its own buffer takes twice the time.
  demand(hash('sha256', signed, 'hex') === digest.toString('hex'), 'the token is not what was signed')
}

/** A10. */
export function checkSignature(
  signed: SignedData,
  { signedBytes }: Attributes,
  leaf: Certificate,
  known: KnownCertificates,
): void {
  const key = present(known.keyOf(leaf), 'the key of the leaf is not usable')
  demand(verify('sha256', signedBytes, key, signed.signature), 'the signature does not verify')
}

/** A11. Returns the difference in seconds: positive for an old token, negative for one from the future. */
export function checkTime(signingTime: Date, now: Date, lifetimeSeconds: number): number {
  const seconds = (now.getTime() - signingTime.getTime()) / 1000
  if (Math.abs(seconds) <= lifetimeSeconds) return seconds
  throw new CheckFailed(`signed at ${signingTime.toISOString()}, ${seconds} s from now`)
}

const nothing = Buffer.alloc(0)

function namesLeaf({ signer }: SignedData, leaf: Certificate): boolean {
  if (signer.by === 'serial') return signer.issuer.equals(leaf.issuer) && signer.serial === leaf.serial
  const identifier = leaf.extensions.get(oids.subjectKeyIdentifier)
  return identifier !== undefined && octetsOf(readElement(identifier.value, 'DER')).equals(signer.keyIdentifier)
}

function singleAttribute(attributes: readonly Attribute[], oid: string): Element {
  const found = attributes.filter((one) => one.oid === oid)
  if (found.length !== 1) throw new CheckFailed(`attribute ${oid} does not stand exactly once`)
  const values = found[0]?.values ?? []
  if (values.length !== 1) throw new CheckFailed(`attribute ${oid} does not have exactly one value`)
  return present(values[0], 'an attribute is empty')
}

/** The attribute repeats the algorithms under the signature, so that the ones outside cannot be exchanged. */
function checkProtection(values: readonly Element[], signatureAlgorithm: Algorithm): void {
  const [value, ...more] = values
  const [digest, signature, ...extra] = sequenceOf(value)
  demand(
    more.length === 0 && extra.length === 0 && signature?.tag === contextTag(1),
    'the algorithm protection is damaged',
  )
  const sameDigest = algorithmOf(sequenceOf(digest)).oid === oids.sha256
  const sameSignature = algorithmOf(childrenOf(signature)).oid === signatureAlgorithm.oid
  demand(sameDigest && sameSignature, 'the algorithm protection names other algorithms')
}
