/** Keys of the authority and of tokens. */
import { createECDH, createPrivateKey, createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

export interface KeyPair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly spki: Buffer
}

export function keyPair(privateKey: KeyObject): KeyPair {
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey, spki: publicKey.export({ format: 'der', type: 'spki' }) }
}

/** A P-256 key from its private number. */
export function scalarPair(scalar: Buffer): KeyPair {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const text = (bytes: Buffer): string => bytes.toString('base64url')
  const coordinates = { x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
  return keyPair(createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: text(scalar), ...coordinates }, format: 'jwk' }))
}

const generate = promisify(generateKeyPair)

export async function newEcPair(namedCurve: 'P-256' | 'P-384' = 'P-256'): Promise<KeyPair> {
  return keyPair((await generate('ec', { namedCurve })).privateKey)
}

export async function newRsaPair(): Promise<KeyPair> {
  return keyPair((await generate('rsa', { modulusLength: 2048 })).privateKey)
}

/** PKCS#8, base64, for storage. */
export function textOfPair({ privateKey }: KeyPair): string {
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
}

export function pairOfText(text: string): KeyPair {
  return keyPair(createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }))
}

/** A public key from its SPKI bytes; null if they are invalid. */
export function publicKeyOf(spki: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

export const sha256 = (content: Buffer | string): Buffer => hash('sha256', content, 'buffer')
