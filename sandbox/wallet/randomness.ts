/** The source of a token's keys, ids and cryptogram: random, or derived from a seed for reproducible tokens. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { type KeyPair, scalarPair } from './key-pair.ts'

export interface Randomness {
  /** With a seed, each label gives different bytes. */
  bytes(label: string, length: number): Buffer
  key(label: string): KeyPair
}

export function randomnessOf(seed: string | null): Randomness {
  const bytes = (label: string, length: number): Buffer =>
    seed === null ? randomBytes(length) : Buffer.from(hkdfSync('sha256', seed, '', label, length))
  return { bytes, key: (label) => scalarPair(bytes(label, 32)) }
}
