/** Keys of the age format: a recipient encrypts and may be public, its identity decrypts. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decodeBech32, encodeBech32 } from '../kit/bech32.ts'

const recipientPrefix = 'age'
const identityPrefix = 'age-secret-key-'
const keyBytes = 32

/** As `age1…`. */
export const formatRecipient = (key: KeyObject): string => encodeBech32(recipientPrefix, publicBytes(key))

/** Null if the text is not a recipient. */
export function readRecipient(text: string): KeyObject | null {
  const bytes = decodeBech32(recipientPrefix, text.trim())
  return bytes?.length === keyBytes ? publicKeyOf(bytes) : null
}

/** A new identity in the form of age-keygen. */
export function createIdentity(createdAt: Date): { readonly text: string; readonly recipient: string } {
  const { privateKey } = generateKeyPairSync('x25519')
  const secret = encodeBech32(identityPrefix, privateBytes(privateKey)).toUpperCase()
  const recipient = formatRecipient(createPublicKey(privateKey))
  return { text: `# created: ${createdAt.toISOString()}\n# public key: ${recipient}\n${secret}\n`, recipient }
}

/** The identities of a file as age-keygen writes it. Empty if there is none. */
export function readIdentities(text: string): readonly KeyObject[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line) => {
    const bytes = decodeBech32(identityPrefix, line)
    return bytes?.length === keyBytes ? [privateKeyOf(bytes)] : []
  })
}

/** The DER forms of RFC 8410, which end with the key itself. */
const publicForm = Buffer.from('302a300506032b656e032100', 'hex')
const privateForm = Buffer.from('302e020100300506032b656e04220420', 'hex')

export const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicForm, bytes]), format: 'der', type: 'spki' })

const privateKeyOf = (bytes: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateForm, bytes]), format: 'der', type: 'pkcs8' })

export const publicBytes = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(publicForm.length)

const privateBytes = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'pkcs8' }).subarray(privateForm.length)
