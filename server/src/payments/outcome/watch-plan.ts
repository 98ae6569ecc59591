/** When to ask again about a transaction that was written off, and how long a retry waits for that. See decisions/certainty#watches. */
import { limits } from '#domain/limits.ts'
import type { Consequences } from '../../contracts/records.ts'

/** The time of the next query, counted from the end of the transaction; null after the last one. */
export function nextWatchAt(endedAt: Date, asksMade: number): Date | null {
  const seconds = limits.watch.afterSeconds[asksMade]
  return seconds === undefined ? null : new Date(endedAt.getTime() + seconds * 1000)
}

/** An automatic retry waits until most of the queries are made, because otherwise both charges might be executed. */
export function withDelayedRetry<T extends Consequences>(follows: T, at: Date): T {
  const { deferred } = follows
  if (deferred?.command !== 'RETRY') return follows
  const earliest = at.getTime() + limits.watch.retryAfterMs
  return { ...follows, deferred: { ...deferred, dueAt: new Date(Math.max(deferred.dueAt.getTime(), earliest)) } }
}
