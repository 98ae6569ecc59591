/** Mints wallet A tokens (Chapter 40 §11). A plan determines one completely; a fault is a plan with a wrong part. */
import { constants, createCipheriv, diffieHellman, type KeyObject, publicEncrypt } from 'node:crypto'
import { encodeSignedData, type SignaturePlan } from '../certificates/cms.ts'
import { type KeyPair, sha256 } from '../key-pair.ts'

type WalletAVersion = 'EC_v1' | 'RSA_v1'

export interface PublicKey {
  readonly publicKey: KeyObject
  readonly spki: Buffer
}

export interface PlanA {
  readonly version: WalletAVersion
  readonly plaintext: string
  /** The key for which it is encrypted. */
  readonly recipient: PublicKey
  /** The key whose hash it contains; another one only in a token with that fault. */
  readonly named: PublicKey
  readonly merchantIdentifier: string
  /** For `EC_v1`. */
  readonly ephemeral: KeyPair
  /** For `RSA_v1`. */
  readonly contentKey: Buffer
  readonly iv: Buffer
  readonly transactionId: Buffer
  readonly applicationData: Buffer | null
  readonly paymentMethod: Readonly<Record<string, string>>
  readonly signature: SignaturePlan
}

export interface TokenA {
  readonly paymentData: {
    readonly version: string
    readonly data: string
    readonly signature: string
    readonly header: Readonly<Record<string, string>>
  }
  readonly paymentMethod: Readonly<Record<string, string>>
  readonly transactionIdentifier: string
}

export function mintA(plan: PlanA): TokenA {
  const { version, transactionId, applicationData } = plan
  const { key, keyBytes } = contentKeyOf(plan)
  const data = encryptContent(plan, key)
  const signed = Buffer.concat([keyBytes, data, transactionId, applicationData ?? Buffer.alloc(0)])
  return {
    paymentData: {
      version,
      data: data.toString('base64'),
      signature: encodeSignedData(plan.signature, signed).toString('base64'),
      header: {
        publicKeyHash: sha256(plan.named.spki).toString('base64'),
        [version === 'EC_v1' ? 'ephemeralPublicKey' : 'wrappedKey']: keyBytes.toString('base64'),
        transactionId: transactionId.toString('hex'),
        ...(applicationData !== null && { applicationData: applicationData.toString('hex') }),
      },
    },
    paymentMethod: plan.paymentMethod,
    transactionIdentifier: transactionId.toString('hex'),
  }
}

/** Chapter 40 §11.3. */
function contentKeyOf(plan: PlanA): { readonly key: Buffer; readonly keyBytes: Buffer } {
  const { version, recipient, ephemeral, contentKey, merchantIdentifier } = plan
  if (version === 'RSA_v1') {
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    return { key: contentKey, keyBytes: publicEncrypt({ key: recipient.publicKey, ...padding }, contentKey) }
  }
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient.publicKey })
  const otherInfo = Buffer.concat([Buffer.from('\x0did-aes256-GCMApple'), sha256(merchantIdentifier)])
  const counter = Buffer.from([0, 0, 0, 1])
  return { key: sha256(Buffer.concat([counter, shared, otherInfo])), keyBytes: ephemeral.spki }
}

/** Chapter 40 §11.4. */
function encryptContent({ plaintext, iv }: PlanA, key: Buffer): Buffer {
  const cipher = createCipheriv(key.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm', key, iv)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}
