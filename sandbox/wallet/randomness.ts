/** Where a token's own keys, ids and cryptogram come from: chance, or a seed that gives the same ones again. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { type KeyPair, scalarPair } from './key-pair.ts'

export interface Randomness {
  /** The label tells one use from another. */
  bytes(label: string, length: number): Buffer
  key(label: string): KeyPair
}

export function randomnessOf(seed: string | null): Randomness {
  const bytes = (label: string, length: number): Buffer =>
    seed === null ? randomBytes(length) : Buffer.from(hkdfSync('sha256', seed, '', label, length))
  return { bytes, key: (label) => scalarPair(bytes(label, 32)) }
}
