/** One line for many refusals, so that logging does not burden a busy instance. */
import { limits } from '#domain/limits.ts'
import type { Log } from '../contracts/ports.ts'

/** Returns what is called with every refusal. The line has how many there were since the last one. */
export function createOverloadLog(
  log: Pick<Log, 'warn'>,
  sentence = 'Overload: requests were refused with 503 without being processed.',
  now: () => number = () => performance.now(),
): (fields?: { readonly address: string }) => void {
  let count = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return (fields) => {
    count += 1
    if (now() - loggedAt < limits.overload.logEveryMs) return
    log.warn({ ...fields, count }, sentence)
    loggedAt = now()
    count = 0
  }
}
