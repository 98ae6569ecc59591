/** When a transaction that was given up as never executed is asked about again, and what has to wait for that. Decision 0052. */
import { limits } from '#domain/limits.ts'
import type { Consequences } from '../../contracts/records.ts'

/** The moment of a question, counted from the end of the transaction; null when no more are asked. */
export function watchedAt(endedAt: Date, asksMade: number): Date | null {
  const seconds = limits.watch.afterSeconds[asksMade]
  return seconds === undefined ? null : new Date(endedAt.getTime() + seconds * 1000)
}

/** A plan's retry by itself waits until most of the questions are asked: the first charge might turn up beside it. */
export function afterWatch<T extends Consequences>(follows: T, at: Date): T {
  const { deferred } = follows
  if (deferred?.command !== 'RETRY') return follows
  const earliest = at.getTime() + limits.watch.retryAfterMs
  return { ...follows, deferred: { ...deferred, dueAt: new Date(Math.max(deferred.dueAt.getTime(), earliest)) } }
}
