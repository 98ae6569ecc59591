import { limits } from '#domain/limits.ts'
import { secondMs } from '#domain/time.ts'

/** When a mail, an alert or a scheduled export that could not be sent is sent again; null after the last attempt. */
export function nextSend(failedBefore: number, at: Date): Date | null {
  const seconds = limits.mail.retrySeconds[failedBefore]
  return seconds === undefined ? null : new Date(at.getTime() + seconds * secondMs)
}
