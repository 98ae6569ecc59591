/** Wallet B tokens for tests: genuine by default, faulty as the plan says. */
import { createCipheriv, createHmac, diffieHellman, hkdfSync, sign } from 'node:crypto'
import { labelledKey, type SampleKey } from './keys.ts'

export const now = new Date('2026-07-01T12:00:00Z')
export const gateway = 'gatehouse'
export const gatewayMerchantId = '7b6f6a52-1f6e-11ee-be56-0242ac120002'
export const privateKey = labelledKey('gatehouse wallet B key 1')
export const ephemeralKey = labelledKey('gatehouse wallet B ephemeral 1')
export const rootKey = labelledKey('sample wallet B root')
const intermediateKey = labelledKey('sample wallet B intermediate')

/** Chapter 40 §21. */
export const plaintext =
  '{"gatewayMerchantId":"7b6f6a52-1f6e-11ee-be56-0242ac120002","messageExpiration":"1893456000000","messageId":"gatehouse-message-1","paymentMethod":"CARD","paymentMethodDetails":{"authMethod":"CRYPTOGRAM_3DS","pan":"4000001000000018","expirationMonth":12,"expirationYear":2031,"cryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=","eciIndicator":"07"}}'

export interface TokenPlan {
  readonly version: 'ECv1' | 'ECv2'
  readonly plaintext: string
  readonly recipientKey: SampleKey
  readonly recipient: string
  readonly sender: string
  readonly rootKey: SampleKey
  readonly keyExpiration: string
  readonly signedKey: (usual: string) => string
  readonly signedMessage: (usual: string) => string
}

export const usualPlan: TokenPlan = {
  version: 'ECv2',
  plaintext,
  recipientKey: privateKey,
  recipient: `gateway:${gateway}`,
  sender: 'Google',
  rootKey,
  keyExpiration: '1893456000000',
  signedKey: (usual) => usual,
  signedMessage: (usual) => usual,
}

export interface TokenObject {
  protocolVersion: string
  signature: string
  signedMessage: string
  intermediateSigningKey?: { signedKey: string; signatures: string[] }
}

export function mint(changes: Partial<TokenPlan> = {}): TokenObject {
  const plan = { ...usualPlan, ...changes }
  const { version } = plan
  const signedMessage = plan.signedMessage(JSON.stringify(encryptedParts(plan)))
  const signer = version === 'ECv1' ? plan.rootKey : intermediateKey
  const token = {
    protocolVersion: version,
    signature: signature(signer, plan.sender, plan.recipient, version, signedMessage),
    signedMessage,
  }
  if (version === 'ECv1') return token
  const keyValue = intermediateKey.spki.toString('base64')
  const signedKey = plan.signedKey(JSON.stringify({ keyValue, keyExpiration: plan.keyExpiration }))
  const signatures = [signature(plan.rootKey, plan.sender, version, signedKey)]
  return { ...token, intermediateSigningKey: { signedKey, signatures } }
}

/** The list of root keys in the wallet provider's form. */
export function keyList(key: SampleKey = rootKey, keyExpiration = '1893456000000'): string {
  const entry = { keyValue: key.spki.toString('base64'), keyExpiration }
  return JSON.stringify({ keys: ['ECv1', 'ECv2'].map((protocolVersion) => ({ ...entry, protocolVersion })) })
}

export function encryptedParts({ version, recipientKey, plaintext: content }: TokenPlan) {
  const z = diffieHellman({ privateKey: ephemeralKey.privateKey, publicKey: recipientKey.publicKey })
  const point = ephemeralKey.spki.subarray(-65)
  const length = version === 'ECv1' ? 16 : 32
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, z]), Buffer.alloc(0), 'Google', 2 * length))
  const cipher = createCipheriv(
    version === 'ECv1' ? 'aes-128-ctr' : 'aes-256-ctr',
    keys.subarray(0, length),
    Buffer.alloc(16),
  )
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()])
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', keys.subarray(length)).update(encrypted).digest('base64'),
  }
}

function signature({ privateKey: key }: SampleKey, ...texts: readonly string[]): string {
  const parts = texts.flatMap((text) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(text))
    return [length, Buffer.from(text)]
  })
  return sign('sha256', Buffer.concat(parts), key).toString('base64')
}
