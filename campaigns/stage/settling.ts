/** Waits until a stage is quiet after faults. */
import { limits } from '#domain/limits.ts'
import { blockedUrls } from '#server/store/callbacks/callback-log.ts'
import { isQuiet, type Stage, until } from './stage.ts'

/**
 * Seconds until nothing is open at any acquirer and all callbacks are delivered; null if that never happened. An address that timed out too
 * often is blocked for a quarter of an hour of business time, which is skipped on the test clock.
 */
export function waitUntilSettled(stage: Stage, withinMs: number): Promise<number | null> {
  return until(
    async () => {
      // While the database recovers, the state is unknown.
      try {
        if (await isQuiet(stage)) return true
        if ((await blockedUrls(stage.pool, stage.context.clock.now())).length > 0)
          await stage.advance(limits.callback.blockedMs)
      } catch {
        return false
      }
      return false
    },
    withinMs,
    100,
  )
}
