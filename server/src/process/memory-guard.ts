/**
 * Ends a process in good order before the memory limit of its container ends it with SIGKILL, or the limit of its heap with SIGABRT.
 * See decisions/processes#memory-limits.
 *
 * Memory that grows faster still meets SIGKILL, after which nothing is lost either; here running requests are finished as well.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

interface MemoryGuardParts {
  /** Bytes that this process may use. */
  readonly limit: number
  readonly readUsed?: () => number
  readonly onFull: (used: number) => void
  readonly everyMs?: number
  /** Milliseconds of a clock that only advances. */
  readonly clock?: () => number
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
/** Memory that would reach the limit while requests are finished leaves less time. */
const readingsOfFastGrowth = 2
/** Growth is that of the last second: between two collections any process grows for a moment. */
const readingsOfGrowth = 4
/** Until the next reading, until the port is closed, and until running requests are finished. */
const drainMs = 1_500

export function watchMemory(parts: MemoryGuardParts): { stop(): void } {
  const { limit, readUsed = ownMemory, onFull, everyMs = 250, clock = () => performance.now() } = parts
  const most = limit - roomOf(limit)
  const readings: Reading[] = []
  let high = 0
  const timer = setInterval(() => {
    const reading = { bytes: readUsed(), atMs: clock() }
    readings.push(reading)
    const isSoonFull = forecast(readings, drainMs) > limit
    high = isSoonFull || reading.bytes > most ? high + 1 : 0
    if (readings.length > readingsOfGrowth) readings.shift()
    if (high < (isSoonFull ? readingsOfFastGrowth : readingsInARow)) return
    clearInterval(timer)
    onFull(reading.bytes)
  }, everyMs).unref()
  return { stop: () => clearInterval(timer) }
}

interface Reading {
  readonly bytes: number
  readonly atMs: number
}

/** Extrapolates the memory in use after that time from the growth since the first of the readings; 0 as long as they are too few. */
function forecast(readings: readonly Reading[], afterMs: number): number {
  const [first] = readings
  const last = readings.at(-1)
  if (!first || !last || readings.length <= readingsOfGrowth) return 0
  const growthPerMs = (last.bytes - first.bytes) / Math.max(1, last.atMs - first.atMs)
  return last.bytes + growthPerMs * afterMs
}

const anonymous = /^RssAnon:\s+(\d+) kB$/m

/** Without the pages of files, which the kernel frees when memory is short. */
export function ownMemory(): number {
  const [, kilobytes = '0'] = anonymous.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Measures the memory of JavaScript's objects. V8 limits them to about half of the container's memory, a limit that they reach first if they are what grows. */
export const heap = (): { readonly limit: number; readonly used: number } => {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics()
  return { limit, used }
}

/** The limit of the container, or of the unit; null if there is none below the memory of the machine. */
export function memoryLimit(constrained = process.constrainedMemory(), machine = totalmem()): number | null {
  if (process.platform !== 'linux') return null
  return constrained > 0 && constrained < machine ? constrained : null
}

/** Divides the limit among the processes in one container. The supervisor counts as one. */
export const shareOf = (limit: number, processes: number): number => limit / (processes + 1)
