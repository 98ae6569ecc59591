/** Ends a process that comes near the memory limit of its container in good order, so that it is started again. Decision 0223. */
import type { Log } from '../contracts/ports.ts'
import { holdsProcess, memoryCondition, memoryLimit, ownMemory, shareOf, watchMemory } from '../process/memory-guard.ts'
import { type Draining, stopLater } from './ending.ts'

interface MemoryWatch {
  readonly log: Log
  readonly draining: Draining
  /** How many processes share the container under a supervisor; null for one alone. */
  readonly processes: number | null
  /** The limit of the container and the memory of the process that has started, as the system states them. */
  readonly whole?: number | null
  readonly used?: () => number
}

export function endBeforeMemoryLimit(watch: MemoryWatch): void {
  const { log, draining, processes, whole = memoryLimit(), used: read = ownMemory } = watch
  if (whole === null) return
  const limit = processes === null ? whole : shareOf(whole, processes)
  const used = read()
  memoryCondition.isTooSmall = !holdsProcess(limit, used)
  if (memoryCondition.isTooSmall) {
    log.error(
      { count: megabytes(used) },
      `The limit of ${megabytes(limit)} MB is too small for this process, which uses ${megabytes(used)} MB when it has started. It goes on without ending in good order before the limit. Give each process at least 400 MB.`,
    )
    return
  }
  const guard = watchMemory({
    limit,
    used: read,
    onFull: (bytes) => {
      log.error(
        { count: megabytes(bytes) },
        `The process uses nearly all of its ${megabytes(limit)} MB of memory and ends.`,
      )
      draining.begin('memory')
    },
  })
  stopLater(async () => guard.stop())
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
