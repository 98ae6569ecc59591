/** Whether payments can be written: a committed write to our own table, shared by all callers, at most one per second. */

import { randomBytes } from 'node:crypto'
import { errorCode } from '#domain/error-code.ts'
import type { Beat, processBeatStore } from '../store/instance/process-beats.ts'
import { onceASecond } from './once-a-second.ts'

type WriteFault = 'database_unreachable' | 'disk_full' | 'read_only' | 'writes_refused'

export class WriteRefused extends Error {
  override readonly name = 'WriteRefused'
  readonly fault: WriteFault

  constructor(fault: WriteFault, options: ErrorOptions) {
    super(`A write was refused: ${fault}.`, options)
    this.fault = fault
  }
}

interface WriteProbeOptions {
  readonly beats: Pick<ReturnType<typeof processBeatStore>, 'write'>
  readonly beat: Pick<Beat, 'process' | 'role' | 'release'>
  /** Whether the due work of this process proceeds; false if it has none. */
  readonly isWorking: () => boolean
  /** A monotonic clock. */
  readonly nowMs?: () => number
}

/** A write that needs a new page writes the whole page to the log, so it is done less often. */
const fillEveryMs = 10_000
/** More than half of a page, so that two such rows never share one. */
const fillerBytes = 5000

interface WriteProbe {
  /** Resolves if a write was committed less than a second ago; rejects with `WriteRefused`. */
  (): Promise<void>
  /** Another write of this process was refused: the next probe writes at once, and a whole page. */
  probeAtOnce(): void
}

export function writeProbe(options: WriteProbeOptions): WriteProbe {
  const { beats, beat, isWorking, nowMs = () => performance.now() } = options
  let fillAt = Number.NEGATIVE_INFINITY
  let doubts = 0

  const probe = onceASecond(async () => {
    const at = nowMs()
    const before = doubts
    const fills = at >= fillAt
    try {
      await beats.write({ ...beat, works: isWorking(), filler: fills ? randomBytes(fillerBytes) : null })
      // A doubt that came meanwhile still requires a new page.
      if (fills && before === doubts) fillAt = at + fillEveryMs
    } catch (error) {
      // Only a write that needs a page shows that a full disk has room again.
      fillAt = at
      throw new WriteRefused(faultOf(error), { cause: error })
    }
  }, nowMs)

  return Object.assign(() => probe(), {
    probeAtOnce: () => {
      doubts += 1
      fillAt = Number.NEGATIVE_INFINITY
      probe.forget()
    },
  })
}

/** By the server's error code; an error without one never reached the server. */
export function faultOf(error: unknown): WriteFault {
  const code = errorCode(error)
  if (code === '53100') return 'disk_full'
  if (code === '25006') return 'read_only'
  if (/^(08|57P|53)/.test(code) || !/^[0-9A-Z]{5}$/.test(code)) return 'database_unreachable'
  return 'writes_refused'
}
