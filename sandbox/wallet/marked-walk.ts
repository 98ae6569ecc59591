/**
 * Searches for marked keys: P-256 keys whose SHA-256 of the SPKI begins with 5A 5B, by which a live instance recognises keys of the sandbox
 * (Chapter 40 §14).
 *
 * One in 65 536 keys is marked, and generating that many takes seconds. So each fresh key only starts a walk: its neighbours P + kG and
 * their negatives cost a few multiplications each, because all additions of a walk share one inversion.
 */
import { createECDH, hash } from 'node:crypto'
import { type KeyPair, scalarPair } from './key-pair.ts'

export function findMarkedKey(): KeyPair {
  for (;;) {
    const scalar = walk()
    if (scalar === null) continue
    const pair = scalarPair(bytesOf(scalar))
    if (isMarked(pair.spki)) return pair
  }
}

export function isMarked(spki: Buffer): boolean {
  // As a binary string, the cheapest form of a digest: the search computes hundreds of thousands.
  return hash('sha256', spki, 'binary').startsWith(MARK)
}

const MARK = '\x5a\x5b'
const STEPS = 256
const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** The private number of a marked key among the neighbours of a fresh one; null if there is none. */
function walk(): bigint | null {
  const curve = createECDH('prime256v1')
  const start = pointOf(curve.generateKeys())
  const scalar = BigInt(`0x${curve.getPrivateKey('hex')}`)
  const inverses = inversesOf(multiples.map(({ x }) => modulo(x - start.x)))
  for (const [index, multiple] of multiples.entries()) {
    const { x, y } = sum(start, multiple, inverses[index] ?? 0n)
    const neighbour = (scalar + BigInt(index + 1)) % n
    if (isMarked(spkiOf(x, y))) return neighbour
    if (isMarked(spkiOf(x, p - y))) return n - neighbour
  }
  return null
}

/** G, 2G, 3G and so on. */
const multiples: readonly Point[] = Array.from({ length: STEPS }, (_, index) => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytesOf(BigInt(index + 1)))
  return pointOf(curve.getPublicKey())
})

/** For two different points that are not each other's negative; `inverse` is the inverse of their difference in x. */
function sum(one: Point, two: Point, inverse: bigint): Point {
  const slope = modulo((two.y - one.y) * inverse)
  const x = modulo(slope * slope - one.x - two.x)
  return { x, y: modulo(slope * (one.x - x) - one.y) }
}

/** All inverses with a single inversion (Montgomery's trick). */
function inversesOf(values: readonly bigint[]): readonly bigint[] {
  const products: bigint[] = []
  let product = 1n
  for (const value of values) {
    products.push(product)
    product = (product * value) % p
  }
  let inverse = power(product, p - 2n)
  const inverses: bigint[] = []
  for (const [index, value] of values.toReversed().entries()) {
    inverses.unshift((inverse * (products[values.length - 1 - index] ?? 0n)) % p)
    inverse = (inverse * value) % p
  }
  return inverses
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p
    if (bit === '1') result = (result * base) % p
  }
  return result
}

function modulo(value: bigint): bigint {
  const rest = value % p
  return rest < 0n ? rest + p : rest
}

function pointOf(uncompressed: Buffer): Point {
  const number = (from: number, to: number): bigint => BigInt(`0x${uncompressed.toString('hex', from, to)}`)
  return { x: number(1, 33), y: number(33, 65) }
}

const SPKI_HEADER = '3059301306072a8648ce3d020106082a8648ce3d03010703420004'
/** One buffer for all candidates, because the search tests hundreds of thousands. */
const candidate = Buffer.from(SPKI_HEADER + '00'.repeat(64), 'hex')
const POINT_AT = SPKI_HEADER.length / 2

function spkiOf(x: bigint, y: bigint): Buffer {
  candidate.write(hexOf(x), POINT_AT, 'hex')
  candidate.write(hexOf(y), POINT_AT + 32, 'hex')
  return candidate
}

function hexOf(number: bigint): string {
  return number.toString(16).padStart(64, '0')
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(hexOf(number), 'hex')
}
