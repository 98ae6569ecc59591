/** Points of the curve P-256, the only one used to encrypt tokens. */
import { createPublicKey, type KeyObject } from 'node:crypto'

/** The uncompressed point inside a SubjectPublicKeyInfo of the form that tokens use; null for any other form. */
export function pointOfSpki(spki: Buffer): Buffer | null {
  if (spki.length !== spkiHeader.length + pointLength || !spki.subarray(0, spkiHeader.length).equals(spkiHeader))
    return null
  return spki.subarray(spkiHeader.length)
}

/** True if the 65 octets are an uncompressed point on the curve. The point at infinity has no such form. */
export function isPoint(point: Buffer): boolean {
  if (point.length !== pointLength || point[0] !== uncompressed) return false
  const x = BigInt(`0x${point.toString('hex', 1, 33)}`)
  const y = BigInt(`0x${point.toString('hex', 33)}`)
  return x < prime && y < prime && (y * y - x * x * x + 3n * x - constantTerm) % prime === 0n
}

/** The key of a point that `isPoint` has accepted. */
export function keyOfPoint(point: Buffer): KeyObject {
  return keyOfSpki(Buffer.concat([spkiHeader, point]))
}

/**
 * The key of a SubjectPublicKeyInfo with a checked point. Passed as PEM, because Node is twice as fast with text: for other input it first
 * tries, by exceptions, whether it is already a key (20 µs against 48 µs).
 */
export function keyOfSpki(spki: Buffer): KeyObject {
  return createPublicKey(`-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----`)
}

/** Private scalars are at least 1 and less than this. */
export const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const pointLength = 65
const uncompressed = 0x04
const spkiHeader = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const constantTerm = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
