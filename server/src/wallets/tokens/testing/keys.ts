/** Keys of the samples: EC keys are derived from a label, as in the known answers of Chapter 40 §21. */
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

export interface SampleKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly spki: Buffer
}

export function labelledKey(label: string): SampleKey {
  return scalarKey(createHash('sha256').update(label).digest())
}

export function scalarKey(d: Buffer): SampleKey {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  const point = curve.getPublicKey()
  const text = (bytes: Buffer): string => bytes.toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', d: text(d), x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
  return sampleKey(createPrivateKey({ key: jwk, format: 'jwk' }))
}

export function sampleKey(privateKey: KeyObject): SampleKey {
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey, spki: publicKey.export({ format: 'der', type: 'spki' }) }
}

/** PKCS#8 in one line, as a merchant enters it. */
export function oneLineKey({ privateKey }: SampleKey): string {
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
}

export function sha256(content: Buffer | string): Buffer {
  return createHash('sha256').update(content).digest()
}
