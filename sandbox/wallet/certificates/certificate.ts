/**
 * Certificates of the sandbox authority. Every one carries the mark by which a live instance refuses it (Chapter 40 §14), including the
 * wrong ones of the fault table.
 */
import { randomBytes, sign } from 'node:crypto'
import { type KeyPair, pairOfText, sha256, textOfPair } from '../key-pair.ts'
import { bits, context, derNull, integer, octets, oid, sequence, setOf, time, truth, utf8 } from './der.ts'
import { oids } from './oids.ts'

export interface CertifiedKey {
  readonly der: Buffer
  readonly key: KeyPair
  /** DER-encoded names. */
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly serial: bigint
  readonly from: Date
  readonly until: Date
}

export interface CertificatePlan {
  readonly subject: Buffer
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly Buffer[]
  readonly serial?: bigint
}

/** A self-signed certificate is its own issuer. */
export function issue<Key extends Pick<KeyPair, 'spki'>>(
  plan: CertificatePlan,
  key: Key,
  issuer: Pick<CertifiedKey, 'subject' | 'key'>,
): Omit<CertifiedKey, 'key'> & { readonly key: Key } {
  const serial = plan.serial ?? newSerial()
  const rsa = issuer.key.publicKey.asymmetricKeyType === 'rsa'
  const algorithm = rsa ? sequence(oid(oids.rsaWithSha256), derNull) : sequence(oid(oids.ecdsaWithSha256))
  const body = sequence(
    context(0, integer(2n)),
    integer(serial),
    algorithm,
    issuer.subject,
    sequence(time(plan.from), time(plan.until)),
    plan.subject,
    key.spki,
    context(3, sequence(...plan.extensions, ...identifiers(key, issuer.key), sandboxMark)),
  )
  const der = sequence(body, algorithm, bits(sign('sha256', body, issuer.key.privateKey)))
  return { der, key, subject: plan.subject, issuer: issuer.subject, serial, from: plan.from, until: plan.until }
}

export const extension = (type: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(type), critical ? truth(true) : [], octets(value))

/** An extension whose presence alone is the information. */
export const mark = (type: string): Buffer => extension(type, derNull)

const digitalSignature = bits(Buffer.from([0x80]), 7)
const keyCertSign = bits(Buffer.from([0x04]), 2)

export const mayIssue: readonly Buffer[] = [
  extension(oids.basicConstraints, sequence(truth(true)), true),
  extension(oids.keyUsage, keyCertSign, true),
]

export const maySign: readonly Buffer[] = [
  extension(oids.basicConstraints, sequence(), true),
  extension(oids.keyUsage, digitalSignature, true),
]

export function nameOf(commonName: string, userId?: string): Buffer {
  const attribute = (type: string, value: string): Buffer => setOf(sequence(oid(type), utf8(value)))
  return sequence(userId === undefined ? [] : attribute(oids.userId, userId), attribute(oids.commonName, commonName))
}

const keyIdentifierOf = ({ spki }: Pick<KeyPair, 'spki'>): Buffer => sha256(spki).subarray(0, 20)

export function pem({ der }: Pick<CertifiedKey, 'der'>): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** A key with its certificate as stored in a file. */
export interface StoredCertified {
  readonly key: string
  readonly der: string
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly from: string
  readonly until: string
}

export function keep({ key, der, subject, issuer, serial, from, until }: CertifiedKey): StoredCertified {
  return {
    key: textOfPair(key),
    der: der.toString('base64'),
    subject: subject.toString('base64'),
    issuer: issuer.toString('base64'),
    serial: serial.toString(),
    from: from.toISOString(),
    until: until.toISOString(),
  }
}

export function restore({ key, der, subject, issuer, serial, from, until }: StoredCertified): CertifiedKey {
  return {
    key: pairOfText(key),
    der: Buffer.from(der, 'base64'),
    subject: Buffer.from(subject, 'base64'),
    issuer: Buffer.from(issuer, 'base64'),
    serial: BigInt(serial),
    from: new Date(from),
    until: new Date(until),
  }
}

const sandboxMark = mark(oids.sandboxAuthority)

function identifiers(key: Pick<KeyPair, 'spki'>, issuer: KeyPair): readonly Buffer[] {
  return [
    extension(oids.subjectKeyIdentifier, octets(keyIdentifierOf(key))),
    extension(oids.authorityKeyIdentifier, sequence(keyReference(issuer))),
  ]
}

/** Context tag 0, primitive. */
function keyReference(issuer: KeyPair): Buffer {
  const identifier = keyIdentifierOf(issuer)
  return Buffer.concat([Buffer.from([0x80, identifier.length]), identifier])
}

/** Eight octets, positive, without a leading zero or sign octet, so that all tools print it the same way. */
function newSerial(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | (1n << 62n)
}
