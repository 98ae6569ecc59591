/**
 * Split knowledge: a text is divided into shares, of which a fixed number restores it and fewer tell nothing about it (Shamir 1979, over the
 * field of 256 elements that AES uses). Each share names its set, so that shares of two texts cannot be mixed up.
 */
import { createHash, randomBytes } from 'node:crypto'

export interface Share {
  /** The first bytes of the text's hash: identifies the set, and verifies the result. */
  readonly set: Buffer
  /** How many shares restore the text. */
  readonly threshold: number
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer
}

export const mostShares = 16
const setBytes = 4

export function splitText(text: string, threshold: number, count: number): readonly Share[] {
  const secret = Buffer.from(text)
  // One random polynomial per byte, whose value at 0 is the byte.
  const coefficients = Array.from({ length: threshold - 1 }, () => randomBytes(secret.length))
  const set = setOf(secret)
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    // Horner's rule, from the highest power down to the secret itself.
    const sums = [secret, ...coefficients].reduceRight<readonly number[]>(
      (before, coefficient) => before.map((sum, at) => multiply(sum, number) ^ (coefficient[at] ?? 0)),
      Array<number>(secret.length).fill(0),
    )
    return { set, threshold, number, bytes: Buffer.from(sums) }
  })
}

/** Null unless the shares are of one set, different, and enough. */
export function joinShares(shares: readonly Share[]): string | null {
  const [first] = shares
  if (!first) return null
  const { set, threshold, bytes } = first
  const used = [...new Map(shares.map((share) => [share.number, share])).values()].slice(0, threshold)
  const belong = used.every(
    (share) => share.set.equals(set) && share.threshold === threshold && share.bytes.length === bytes.length,
  )
  if (!belong || used.length < threshold) return null
  const secret = Buffer.alloc(bytes.length)
  for (const { number, bytes: values } of used) {
    // Lagrange's weight of this share at 0.
    const weight = used
      .filter((other) => other.number !== number)
      .reduce((product, other) => multiply(product, multiply(other.number, inverse(other.number ^ number))), 1)
    for (const [at, value] of values.entries()) secret[at] = (secret[at] ?? 0) ^ multiply(value, weight)
  }
  return setOf(secret).equals(set) ? secret.toString('utf8') : null
}

const setOf = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest().subarray(0, setBytes)

/** In the field of 256 elements with the polynomial x⁸ + x⁴ + x³ + x + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 0x80 ? 0x11b : 0)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

/** The power of 254, because the power of 255 is 1. */
function inverse(a: number): number {
  let result = 1
  for (let step = 0; step < 254; step += 1) result = multiply(result, a)
  return result
}
