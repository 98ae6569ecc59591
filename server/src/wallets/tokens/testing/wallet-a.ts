/** Wallet A tokens for tests and measurements: genuine by default, faulty as the plan says. */
import { constants, createCipheriv, diffieHellman, publicEncrypt, sign } from 'node:crypto'
import { oids } from '../asn1/oids.ts'
import { derivedKey } from '../formats/wallet-a-cipher.ts'
import { intermediate, keyIdentifier, leaf, name, type SampleCertificate } from './authority.ts'
import { context, derNull, encode, indefinite, integer, octets, oid, sequence, setOf, utcTime } from './der.ts'
import { labelledKey, type SampleKey, sha256 } from './keys.ts'

export const signedAt = new Date('2030-05-06T07:08:09Z')
export const merchantIdentifier = 'merchant.example.gatehouse'
export const processingKey = labelledKey('gatehouse processing key 1')
export const ephemeralKey = labelledKey('gatehouse ephemeral key 1')

/** Chapter 40 §21. */
export const plaintext =
  '{"applicationPrimaryAccountNumber":"4000001000000018","applicationExpirationDate":"311231","currencyCode":"840","transactionAmount":199,"deviceManufacturerIdentifier":"040010030273","paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=","eciIndicator":"7"}}'

interface TokenPlan {
  readonly version: 'EC_v1' | 'RSA_v1'
  readonly plaintext: string
  /** The key that the content is encrypted for, and the key whose hash the header names. */
  readonly recipient: SampleKey
  readonly namedKey: SampleKey
  readonly merchantIdentifier: string
  readonly ephemeral: SampleKey
  /** For `RSA_v1`. */
  readonly contentKey: Buffer
  readonly iv: Buffer
  readonly transactionId: Buffer
  readonly applicationData: Buffer | null
  readonly signature: SignaturePlan
}

export interface SignaturePlan {
  readonly certificates: readonly SampleCertificate[]
  readonly signer: SampleCertificate
  readonly signedAt: Date
  readonly digest: Buffer
  /** The digest that the envelope lists; the signer's own if null. */
  readonly listedDigest: Buffer | null
  /** The algorithm to name instead of the signer's. */
  readonly algorithm: string | null
  /** The certificate that the signature names instead of the signer's. */
  readonly named: { readonly issuer: string; readonly serial: bigint } | null
  readonly envelopeType: string
  readonly contentType: string
  readonly bySerial: boolean
  readonly form: 'DER' | 'BER'
  readonly signers: number
  readonly content: Buffer | null
  readonly attributes: (usual: readonly Buffer[]) => readonly Buffer[] | null
}

export const usualPlan: TokenPlan = {
  version: 'EC_v1',
  plaintext,
  recipient: processingKey,
  namedKey: processingKey,
  merchantIdentifier,
  ephemeral: ephemeralKey,
  contentKey: Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
  iv: Buffer.alloc(16),
  transactionId: sha256('gatehouse transaction 1'),
  applicationData: null,
  signature: {
    certificates: [leaf, intermediate],
    signer: leaf,
    signedAt,
    digest: sequence(oid(oids.sha256), derNull),
    listedDigest: null,
    algorithm: null,
    named: null,
    envelopeType: oids.signedData,
    contentType: oids.data,
    bySerial: true,
    form: 'DER',
    signers: 1,
    content: null,
    attributes: (usual) => usual,
  },
}

export interface TokenObject {
  paymentData: {
    version: string
    data: string
    signature: string
    header: Record<string, string>
  }
  paymentMethod: Record<string, string>
  transactionIdentifier: string
}

export function mint(
  changes: Partial<Omit<TokenPlan, 'signature'>> = {},
  signature: Partial<SignaturePlan> = {},
): TokenObject {
  const plan: TokenPlan = { ...usualPlan, ...changes, signature: { ...usualPlan.signature, ...signature } }
  const { key, keyBytes } = contentKeyOf(plan)
  const data = encrypt(plan, key)
  const signed = Buffer.concat([keyBytes, data, plan.transactionId, plan.applicationData ?? Buffer.alloc(0)])
  const transactionId = plan.transactionId.toString('hex')
  const keyName = plan.version === 'EC_v1' ? 'ephemeralPublicKey' : 'wrappedKey'
  return {
    paymentData: {
      version: plan.version,
      data: data.toString('base64'),
      signature: signedData(plan.signature, sha256(signed)).toString('base64'),
      header: {
        publicKeyHash: sha256(plan.namedKey.spki).toString('base64'),
        [keyName]: keyBytes.toString('base64'),
        transactionId,
        ...(plan.applicationData === null ? {} : { applicationData: plan.applicationData.toString('hex') }),
      },
    },
    paymentMethod: { displayName: 'Visa 0018', network: 'Visa', type: 'debit' },
    transactionIdentifier: transactionId,
  }
}

/** The message digest is an argument, so that a signature can also cover something else. */
export function signedData(plan: SignaturePlan, messageDigest: Buffer): Buffer {
  const certificates = context(0, ...plan.certificates.map(({ der }) => der))
  const info = signerInfo(plan, messageDigest)
  const wrap = plan.form === 'DER' ? encode : indefinite
  return wrap(
    0x30,
    oid(plan.envelopeType),
    wrap(
      0xa0,
      wrap(
        0x30,
        integer(plan.bySerial ? 1n : 3n),
        encode(0x31, plan.listedDigest ?? plan.digest),
        wrap(0x30, oid(plan.contentType), plan.content === null ? [] : context(0, octets(plan.content))),
        certificates,
        encode(0x31, ...Array.from({ length: plan.signers }, () => info)),
      ),
    ),
  )
}

export const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf(value))

function signerInfo(plan: SignaturePlan, messageDigest: Buffer): Buffer {
  const { signer, digest } = plan
  const usual = signer.key.publicKey.asymmetricKeyType === 'rsa' ? oids.rsaWithSha256 : oids.ecdsaWithSha256
  const algorithm = plan.algorithm ?? usual
  const attributes = plan.attributes([
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.signingTime, utcTime(plan.signedAt)),
    attribute(oids.messageDigest, octets(messageDigest)),
    attribute(oids.algorithmProtection, sequence(digest, context(1, oid(algorithm)))),
  ])
  const signed = attributes === null ? messageDigest : setOf(...attributes)
  const { issuer, serial } = plan.named ?? signer.plan
  return sequence(
    integer(plan.bySerial ? 1n : 3n),
    plan.bySerial ? sequence(name(issuer), integer(serial)) : encode(0x80, keyIdentifier(signer.key)),
    digest,
    attributes === null
      ? []
      : context(
          0,
          attributes.toSorted((one, two) => one.compare(two)),
        ),
    sequence(oid(algorithm)),
    octets(sign('sha256', signed, signer.key.privateKey)),
  )
}

function contentKeyOf(plan: TokenPlan): { readonly key: Buffer; readonly keyBytes: Buffer } {
  const { recipient, ephemeral } = plan
  if (plan.version === 'EC_v1') {
    const z = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient.publicKey })
    return { key: derivedKey(z, plan.merchantIdentifier), keyBytes: ephemeral.spki }
  }
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return { key: plan.contentKey, keyBytes: publicEncrypt({ key: recipient.publicKey, ...padding }, plan.contentKey) }
}

function encrypt({ plaintext: content, iv }: TokenPlan, key: Buffer): Buffer {
  const cipher = createCipheriv(key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm', key, iv)
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
}
