/** Mints wallet B tokens (Chapter 40 §12). A plan determines one completely; a fault is a plan with a wrong part. */
import { createCipheriv, createHmac, diffieHellman, hkdfSync, sign } from 'node:crypto'
import type { KeyPair } from '../key-pair.ts'
import type { WalletBVersion } from '../wallet-b-keys.ts'
import type { PublicKey } from './mint-a.ts'

export interface PlanB {
  readonly version: WalletBVersion
  readonly plaintext: string
  readonly recipientKey: PublicKey
  /** `gateway:` and the gateway's id. */
  readonly recipient: string
  readonly sender: string
  readonly ephemeral: KeyPair
  readonly root: KeyPair
  /** For `ECv2`. */
  readonly intermediate: KeyPair
  readonly intermediateExpiresAt: Date
  /** A last change before the message is signed. */
  readonly message: (usual: EncryptedMessage) => EncryptedMessage
}

interface EncryptedMessage {
  readonly encryptedMessage: string
  readonly ephemeralPublicKey: string
  readonly tag: string
}

export interface TokenB {
  readonly protocolVersion: string
  readonly signature: string
  readonly intermediateSigningKey?: { readonly signedKey: string; readonly signatures: readonly string[] }
  readonly signedMessage: string
}

export const SENDER = 'Google'

export function mintB(plan: PlanB): TokenB {
  const { version, root, intermediate, recipient, sender } = plan
  const signedMessage = JSON.stringify(plan.message(encryptMessage(plan)))
  const signer = version === 'ECv1' ? root : intermediate
  const signature = signatureOf(signer, sender, recipient, version, signedMessage)
  if (version === 'ECv1') return { protocolVersion: version, signature, signedMessage }

  const signedKey = JSON.stringify({
    keyValue: intermediate.spki.toString('base64'),
    keyExpiration: String(plan.intermediateExpiresAt.getTime()),
  })
  const signatures = [signatureOf(root, SENDER, version, signedKey)]
  return { protocolVersion: version, signature, intermediateSigningKey: { signedKey, signatures }, signedMessage }
}

/** Chapter 40 §12.3. */
export function encryptMessage({ version, plaintext, recipientKey, ephemeral }: PlanB): EncryptedMessage {
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipientKey.publicKey })
  const point = ephemeral.spki.subarray(-65)
  const [length, algorithm] = version === 'ECv1' ? [16, 'aes-128-ctr'] : [32, 'aes-256-ctr']
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, shared]), Buffer.alloc(0), 'Google', 2 * length))
  const cipher = createCipheriv(algorithm, keys.subarray(0, length), Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', keys.subarray(length)).update(encrypted).digest('base64'),
  }
}

/** The bytes that this wallet's signatures cover: each text after its length in bytes, as four octets, little-endian. */
export function encodeSignedBytes(...texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(Buffer.byteLength(text))
      return [length, Buffer.from(text)]
    }),
  )
}

function signatureOf({ privateKey }: KeyPair, ...texts: readonly string[]): string {
  return sign('sha256', encodeSignedBytes(...texts), privateKey).toString('base64')
}
