/**
 * Ends a process that comes near the memory limit of its container, or of its heap, in good order, so that it is started again. See
 * decisions/processes#memory-limits.
 */
import type { Log } from '../contracts/ports.ts'
import {
  heap,
  holdsProcess,
  memoryCondition,
  memoryLimit,
  ownMemory,
  shareOf,
  watchMemory,
} from '../process/memory-guard.ts'
import { type Draining, stopLater } from './ending.ts'

interface MemoryWatch {
  readonly log: Log
  readonly draining: Draining
  /** How many processes share the container under a supervisor; null for one alone. */
  readonly processes: number | null
  /** The limit of the container and the memory of the process that has started, as the system states them. */
  readonly whole?: number | null
  readonly readUsed?: () => number
  readonly readHeap?: typeof heap
}

export function endBeforeMemoryLimit(watch: MemoryWatch): void {
  watchContainer(watch)
  watchHeap(watch)
}

function watchContainer({ processes, whole = memoryLimit(), readUsed: read = ownMemory, ...watch }: MemoryWatch): void {
  if (whole === null) return
  const limit = processes === null ? whole : shareOf(whole, processes)
  const used = read()
  memoryCondition.isTooSmall = !holdsProcess(limit, used)
  if (memoryCondition.isTooSmall) {
    watch.log.error(
      { count: megabytes(used) },
      `The limit of ${megabytes(limit)} MB is too small for this process, which uses ${megabytes(used)} MB when it has started. It goes on without ending in good order before the limit. Give each process at least 400 MB.`,
    )
    return
  }
  endBefore(limit, read, `The process uses nearly all of its ${megabytes(limit)} MB of memory and ends.`, watch)
}

/** A heap that is too small from the start is that of a container that is; which is said already. */
function watchHeap({ readHeap = heap, ...watch }: MemoryWatch): void {
  const { limit, used } = readHeap()
  if (!holdsProcess(limit, used)) return
  const said = `The process uses nearly all of its ${megabytes(limit)} MB of heap and ends.`
  endBefore(limit, () => readHeap().used, said, watch)
}

function endBefore(
  limit: number,
  used: () => number,
  said: string,
  { log, draining }: Pick<MemoryWatch, 'log' | 'draining'>,
): void {
  const guard = watchMemory({
    limit,
    readUsed: used,
    onFull: (bytes) => {
      log.error({ count: megabytes(bytes) }, said)
      draining.begin('memory')
    },
  })
  stopLater(async () => guard.stop())
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
