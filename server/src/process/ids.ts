/** Identifiers: time-ordered UUIDs (RFC 9562, version 7) and random keys. */
import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../contracts/ports.ts'

/** One draw of random bytes serves many ids, because a system call per id costs more than the rest. */
const poolBytes = 10 * 256

export function systemIds(clock: Clock): Ids {
  let pool = randomBytes(poolBytes)
  let used = 0
  return {
    next: () => {
      if (used === poolBytes) {
        pool = randomBytes(poolBytes)
        used = 0
      }
      const random = pool.subarray(used, used + 10)
      used += 10
      return uuid7(clock.now().getTime(), random)
    },
    random: (bytes) => randomBytes(bytes).toString('hex'),
  }
}

export function uuid7(milliseconds: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(milliseconds, 0, 6)
  bytes.set(random, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
