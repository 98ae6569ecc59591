/** A certificate authority for samples: certificates of any shape, valid and invalid, in the structure of wallet A's. */
import { createHash, sign } from 'node:crypto'
import { keyUsages } from '../asn1/certificate.ts'
import { oids } from '../asn1/oids.ts'
import { bits, context, derNull, integer, octets, oid, sequence, setOf, truth, utcTime, utf8 } from './der.ts'
import { labelledKey, type SampleKey } from './keys.ts'

interface CertificatePlan {
  readonly subject: string
  /** Where a wallet provider puts the Merchant Identifier. */
  readonly userId?: string
  readonly issuer: string
  readonly key: SampleKey
  readonly issuerKey: SampleKey
  readonly serial: bigint
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly Buffer[]
}

export interface SampleCertificate {
  readonly der: Buffer
  readonly key: SampleKey
  readonly plan: CertificatePlan
}

export function issue(plan: CertificatePlan): SampleCertificate {
  const rsa = plan.issuerKey.publicKey.asymmetricKeyType === 'rsa'
  const algorithm = rsa ? sequence(oid(oids.rsaWithSha256), derNull) : sequence(oid(oids.ecdsaWithSha256))
  const body = sequence(
    context(0, integer(2n)),
    integer(plan.serial),
    algorithm,
    name(plan.issuer),
    sequence(utcTime(plan.from), utcTime(plan.until)),
    name(plan.subject, plan.userId),
    plan.key.spki,
    context(3, sequence(...plan.extensions)),
  )
  const signature = sign('sha256', body, plan.issuerKey.privateKey)
  return { der: sequence(body, algorithm, bits(signature)), key: plan.key, plan }
}

export const extension = (type: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(type), critical ? truth(true) : [], octets(value))

/** A marker extension: only its presence matters. */
export const mark = (type: string): Buffer => extension(type, derNull)

export const authorityExtensions: readonly Buffer[] = [
  extension(oids.basicConstraints, sequence(truth(true)), true),
  extension(oids.keyUsage, bits(Buffer.from([0x80 >> keyUsages.keyCertSign]), 2), true),
]

export const signerExtensions: readonly Buffer[] = [
  extension(oids.basicConstraints, sequence(), true),
  extension(oids.keyUsage, bits(Buffer.from([0x80 >> keyUsages.digitalSignature]), 7), true),
]

export function name(commonName: string, userId?: string): Buffer {
  const attribute = (type: string, value: string): Buffer => setOf(sequence(oid(type), utf8(value)))
  return sequence(userId === undefined ? [] : attribute(oids.userId, userId), attribute('2.5.4.3', commonName))
}

export function pem(der: Buffer, label = 'CERTIFICATE'): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`
}

export function keyIdentifier({ spki }: SampleKey): Buffer {
  return createHash('sha256').update(spki).digest().subarray(0, 20)
}

const from = new Date('2025-01-01T00:00:00Z')
const until = new Date('2035-01-01T00:00:00Z')

export const root = issue({
  subject: 'Sample Root',
  issuer: 'Sample Root',
  key: labelledKey('sample root'),
  issuerKey: labelledKey('sample root'),
  serial: 1n,
  from,
  until,
  extensions: authorityExtensions,
})

export const intermediate = issue({
  subject: 'Sample Intermediate',
  issuer: 'Sample Root',
  key: labelledKey('sample intermediate'),
  issuerKey: root.key,
  serial: 2n,
  from,
  until,
  extensions: [...authorityExtensions, mark(oids.walletIntermediate)],
})

const leafKey = labelledKey('sample leaf')

export const leaf = issue({
  subject: 'Sample Leaf',
  issuer: 'Sample Intermediate',
  key: leafKey,
  issuerKey: intermediate.key,
  serial: 3n,
  from,
  until,
  extensions: [
    ...signerExtensions,
    mark(oids.walletLeaf),
    extension(oids.subjectKeyIdentifier, octets(keyIdentifier(leafKey))),
  ],
})

/** The same certificate with changes, signed again by the same issuer. */
export function reissue({ plan }: SampleCertificate, changes: Partial<CertificatePlan>): SampleCertificate {
  return issue({ ...plan, ...changes })
}
