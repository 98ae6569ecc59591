/**
 * Whether payments can be written: a committed write to a table of our own, shared by everybody who asks, at most one each second.
 */
import { randomBytes } from 'node:crypto'
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
  /** Whether the due work of this process goes on; false where it has none. */
  readonly works: () => boolean
  /** Of a clock that nobody sets. */
  readonly nowMs?: () => number
}

/** A write that needs a page of its own goes through the log with the whole page, so that it is made less often. */
const fillEveryMs = 10_000
/** More than half of a page: two such rows never share one. */
const fillerBytes = 5000

interface WriteProbe {
  /** Resolves when a write was committed less than a second ago; rejects with `WriteRefused`. */
  (): Promise<void>
  /** Another write of this process was refused: the next question writes at once, and a whole page. */
  doubt(): void
}

export function writeProbe(options: WriteProbeOptions): WriteProbe {
  const { beats, beat, works, nowMs = () => performance.now() } = options
  let fillAt = Number.NEGATIVE_INFINITY
  let doubts = 0

  const probe = onceASecond(async () => {
    const at = nowMs()
    const before = doubts
    const fills = at >= fillAt
    try {
      await beats.write({ ...beat, works: works(), filler: fills ? randomBytes(fillerBytes) : null })
      // A doubt that came meanwhile wants a page of its own.
      if (fills && before === doubts) fillAt = at + fillEveryMs
    } catch (error) {
      // Only a write that needs a page tells that a full disk has room again.
      fillAt = at
      throw new WriteRefused(faultOf(error), { cause: error })
    }
  }, nowMs)

  return Object.assign(() => probe(), {
    doubt: () => {
      doubts += 1
      fillAt = Number.NEGATIVE_INFINITY
      probe.forget()
    },
  })
}

/** By the code of the server; whatever has none never reached it. */
export function faultOf(error: unknown): WriteFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === '53100') return 'disk_full'
  if (code === '25006') return 'read_only'
  if (/^(08|57P|53)/.test(code) || !/^[0-9A-Z]{5}$/.test(code)) return 'database_unreachable'
  return 'writes_refused'
}
