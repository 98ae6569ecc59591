/** Ids of traces and spans, in hexadecimal digits. */
import { randomFillSync } from 'node:crypto'

const traceBytes = 16
const spanBytes = 8
const pool = Buffer.alloc(4096)
let used = pool.length

/** One draw of random bytes serves many ids, because a system call per id costs more than the rest. */
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}

export const newTraceId = (): string => randomHex(traceBytes)
export const newSpanId = (): string => randomHex(spanBytes)

/**
 * A trace of its own that a sampler by ratio judges as every other trace of this payment: the half of the id that it reads begins with the
 * random end of the payment's id.
 */
export function newTraceIdFor(paymentId: string): string {
  const digits = paymentId.replaceAll('-', '')
  // What precedes that end is the same in every payment: the variant of the UUID.
  return randomHex(traceBytes / 2) + digits.slice(18) + digits.slice(16, 18)
}
