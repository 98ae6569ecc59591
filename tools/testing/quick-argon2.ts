/**
 * Replaces argon2 in a process of tests. A hash takes 30 ms of a CPU on purpose, and tests create and sign in more than a thousand users; the
 * substitute depends on the same inputs and takes microseconds. `password.test.ts` tests the real one.
 */
import crypto, { hkdf } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Argon2 = typeof crypto.argon2

const real = crypto.argon2

/** False brings the real one back. */
export function useQuickArgon2(wanted: boolean): void {
  crypto.argon2 = wanted ? quickArgon2 : real
  syncBuiltinESMExports()
}

const quickArgon2: Argon2 = (algorithm, { message, nonce, memory, passes, parallelism, tagLength }, done) => {
  const costs = `${algorithm} ${memory} ${passes} ${parallelism}`
  hkdf('sha256', bytesOf(message), bytesOf(nonce), costs, tagLength, (error, tag) => done(error, Buffer.from(tag)))
}

const bytesOf = (input: Parameters<Argon2>[1]['message']): Uint8Array => {
  if (typeof input === 'string') return Buffer.from(input)
  return input instanceof ArrayBuffer
    ? new Uint8Array(input)
    : new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
}
