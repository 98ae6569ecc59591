/** Joins this process to the others on the database: announced by its lock, and kept up to date with configuration and test clock. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnownRecovery } from '../recovery/recovery.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { instanceStore } from '../store/instance/instance.ts'
import { announce, type Presence } from '../store/instance/presence.ts'
import type { ProcessContext } from './process-context.ts'

/** Changes in quick succession, such as an import of many merchants, cause one reload. */
const gatherMs = 25
/** A change that could not be read is retried, because it is announced only once. */
const retryMs = 1_000

export function joinInstance(
  base: ProcessContext,
  configuration: LoadedConfiguration,
  recovery: KnownRecovery,
): Promise<Presence> {
  const { config, databaseUrl, pool, clock, log } = base
  // A change that is announced during a reload is read by one more reload afterwards.
  let reading = false
  let again = false
  const refresh = async (): Promise<void> => {
    do {
      again = false
      await configuration.refresh()
      await recovery.refresh()
      if (config.instanceMode === 'sandbox') clock.moveTo(await instanceStore(pool).readClockOffsetMs())
    } while (again)
  }
  const reloadSoon = (): void => {
    again = true
    if (reading) return
    reading = true
    sleep(gatherMs)
      .then(refresh)
      .then(
        () => {
          reading = false
        },
        (error: unknown) => {
          reading = false
          if (pool.ending) return
          log.error({ err: error }, 'The configuration could not be reloaded.')
          setTimeout(reloadSoon, retryMs).unref()
        },
      )
  }
  return announce(databaseUrl, randomInt(1, 2 ** 31 - 1), { announceChange: reloadSoon, log })
}
