/** Ends a process that comes near the memory limit of its container in good order, so that it is started again. Decision 0223. */
import type { Log } from '../contracts/ports.ts'
import { memoryLimit, shareOf, watchMemory } from '../process/memory-guard.ts'
import { type Draining, stopLater } from './ending.ts'

interface MemoryWatch {
  readonly log: Log
  readonly draining: Draining
  /** How many processes share the container under a supervisor; null for one alone. */
  readonly processes: number | null
}

export function endBeforeMemoryLimit({ log, draining, processes }: MemoryWatch): void {
  const whole = memoryLimit()
  if (whole === null) return
  const limit = processes === null ? whole : shareOf(whole, processes)
  const guard = watchMemory({
    limit,
    onFull: (used) => {
      log.error(
        { count: megabytes(used) },
        `The process uses nearly all of its ${megabytes(limit)} MB of memory and ends.`,
      )
      draining.begin('memory')
    },
  })
  stopLater(async () => guard.stop())
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
