/**
 * The instance's pulse: every process increments it in the database and stores the number on its own disk. A number that decreased means
 * that the database lost writes: after a fail-over to a lagging standby, or a restore under running processes.
 */
import type { Clock, Log } from '../contracts/ports.ts'
import type { Pool } from '../store/database/pool.ts'
import { pulseStore, recoveryStore } from '../store/instance/recovery.ts'
import { type Mark, markFile, writeMark } from './mark-file.ts'

const beatMs = 10_000

interface PulseParts {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly dataDir: string
  readonly everyMs?: number
}

interface RunningPulse {
  /** One beat now. */
  beat(): Promise<void>
  stop(): Promise<void>
}

export function startPulse({ pool, clock, log, dataDir, everyMs = beatMs }: PulseParts): RunningPulse {
  const pulses = pulseStore(pool)
  let last: Mark | null = null
  let running: Promise<void> = Promise.resolve()

  const beatOnce = async (): Promise<void> => {
    const pulse = await pulses.beat()
    if (!pulse) return
    if (last?.id === pulse.id && pulse.beats <= last.beats) {
      log.error({}, 'The database was reset to an earlier state. The instance is now in recovery.')
      await recoveryStore(pool).begin(
        'The database was reset to an earlier state while the service was running.',
        clock.now(),
      )
    }
    last = pulse
    const cluster = await pulses.readCluster()
    if (cluster !== null && cluster !== pulse.cluster) await pulses.keepCluster(cluster)
    await writeMark(markFile(dataDir), pulse)
  }
  const beat = (): Promise<void> => {
    running = running.then(beatOnce).catch((error: unknown) => {
      if (!pool.ending) log.debug({ err: error }, 'The pulse could not be written.')
    })
    return running
  }

  const timer = setInterval(() => void beat(), everyMs)
  timer.unref()
  void beat()
  return {
    beat,
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
