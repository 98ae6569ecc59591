/** The signature of a wallet A token: detached CMS SignedData (Chapter 40 §11.2, A4 to A10). */
import { sign } from 'node:crypto'
import { sha256 } from '../key-pair.ts'
import type { CertifiedKey } from './certificate.ts'
import { context, derNull, encode, inOrder, integer, octets, oid, sequence, setOf, time } from './der.ts'
import { oids } from './oids.ts'

export interface SignaturePlan {
  readonly certificates: readonly Pick<CertifiedKey, 'der'>[]
  readonly signer: CertifiedKey
  readonly signedAt: Date
  readonly digest: 'sha256' | 'sha1'
  readonly signers: 1 | 2
  /** Whether the signed bytes are included, which the wallet forbids. */
  readonly attached: boolean
  /** The signed attributes; null signs the bytes alone. */
  readonly attributes: (usual: readonly Buffer[]) => readonly Buffer[] | null
}

export const defaultSignature = {
  digest: 'sha256',
  signers: 1,
  attached: false,
  attributes: (usual: readonly Buffer[]) => usual,
} as const

export function encodeSignedData(plan: SignaturePlan, content: Buffer): Buffer {
  const info = signerInfo(plan, content)
  return sequence(
    oid(oids.signedData),
    context(
      0,
      sequence(
        integer(1n),
        setOf(digestOf(plan)),
        sequence(oid(oids.data), plan.attached ? context(0, octets(content)) : []),
        context(0, ...plan.certificates.map(({ der }) => der)),
        encode(0x31, ...Array.from({ length: plan.signers }, () => info)),
      ),
    ),
  )
}

const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf(value))

export const signingTime = (moment: Date): Buffer => attribute(oids.signingTime, time(moment))

function signerInfo(plan: SignaturePlan, content: Buffer): Buffer {
  const { signer } = plan
  const rsa = signer.key.publicKey.asymmetricKeyType === 'rsa'
  const algorithm = oid(rsa ? oids.rsaWithSha256 : oids.ecdsaWithSha256)
  const attributes = plan.attributes([
    attribute(oids.contentType, oid(oids.data)),
    signingTime(plan.signedAt),
    attribute(oids.messageDigest, octets(sha256(content))),
    attribute(oids.algorithmProtection, sequence(digestOf(plan), context(1, algorithm))),
  ])
  return sequence(
    integer(1n),
    sequence(signer.issuer, integer(signer.serial)),
    digestOf(plan),
    attributes === null ? [] : context(0, inOrder(attributes)),
    sequence(algorithm, rsa ? derNull : []),
    octets(sign('sha256', attributes === null ? content : setOf(...attributes), signer.key.privateKey)),
  )
}

const digestOf = ({ digest }: SignaturePlan): Buffer => sequence(oid(oids[digest]), derNull)
