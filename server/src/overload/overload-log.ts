/** One line for many refusals, so that logging does not burden a busy instance. */
import { limits } from '#domain/limits.ts'
import type { Log } from '../contracts/ports.ts'

/** Call it with every refusal. */
export function createOverloadLog(log: Log, now: () => number = () => performance.now()): () => void {
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return () => {
    count += 1
    if (now() - loggedAt < limits.overload.logEveryMs) return
    log.warn({ count }, 'Overload: requests were refused with 503 without being processed.')
    loggedAt = now()
    count = 0
  }
}
