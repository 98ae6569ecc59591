/**
 * Ends a process in good order before the memory limit of its container ends it with SIGKILL. Decision 0223.
 *
 * Memory that grows faster still meets SIGKILL, after which nothing is lost either; here running requests are finished as well.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

interface MemoryGuardParts {
  /** Bytes that this process may use. */
  readonly limit: number
  readonly used?: () => number
  readonly onFull: (used: number) => void
  readonly everyMs?: number
}

/**
 * What must be left: a tenth of the limit, and at least what the young objects of a busy process take at once when their space is enlarged. A small
 * limit has not so much to spare.
 */
export function roomOf(limit: number): number {
  const tenth = limit / 10
  return limit < smallLimit ? tenth : Math.max(tenth, Math.min(enlargement, limit / 5))
}

/**
 * Whether a process that uses so much when it has started can work below the limit. Below that it would end itself soon after each start, for
 * ever; it goes on then until the kernel ends it, if ever.
 */
export const holdsProcess = (limit: number, usedAtStart: number): boolean =>
  limit - roomOf(limit) >= usedAtStart + enlargement

/** Of this process, which has one memory: health shows it. */
export const memoryCondition = { isTooSmall: false }

const enlargement = 64 * 2 ** 20
const smallLimit = 256 * 2 ** 20

/** A moment's peak ends with the next garbage collection. */
const readingsInARow = 3

export function watchMemory({ limit, used = ownMemory, onFull, everyMs = 250 }: MemoryGuardParts): { stop(): void } {
  const most = limit - roomOf(limit)
  let high = 0
  const timer = setInterval(() => {
    const now = used()
    high = now > most ? high + 1 : 0
    if (high < readingsInARow) return
    clearInterval(timer)
    onFull(now)
  }, everyMs).unref()
  return { stop: () => clearInterval(timer) }
}

const anonymous = /^RssAnon:\s+(\d+) kB$/m

/** Without the pages of files, which the kernel frees when memory is short. */
export function ownMemory(): number {
  const [, kilobytes = '0'] = anonymous.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** The limit of the container, or of the unit; null if there is none below the memory of the machine. */
export function memoryLimit(constrained = process.constrainedMemory(), machine = totalmem()): number | null {
  if (process.platform !== 'linux') return null
  return constrained > 0 && constrained < machine ? constrained : null
}

/** What one of several processes in the same container may use. The supervisor counts as one. */
export const shareOf = (limit: number, processes: number): number => limit / (processes + 1)
