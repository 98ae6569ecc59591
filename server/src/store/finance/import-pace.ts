/**
 * The pace of long work beside payments: it rests after each portion in proportion to the time that the portion took, so that most of the processors
 * is left to payments. See decisions/imports#rests-between-portions.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A settlement file of a hundred thousand rows is some twenty seconds of work on two cores, and may take a minute. Payments, which are to keep nine
 * tenths of their speed, get what is left of it.
 */
const restPerWork = 1.9
/** Work that ends within a second does not rest: a person waits for it, and payments hardly slow down. */
const freeMs = 1000
/** A longer portion has waited for a lock or for the disk, and such waiting needs no rest. */
const longestRestMs = 3000

export interface Pace {
  /** Between two portions: rests for what was worked since the last rest. */
  pause(): Promise<void>
}

export interface PaceTerms {
  /** True once the process is to end: what is left is done without rests. */
  readonly isHurried: () => boolean
  /** All rests together, if a person waits for the answer. */
  readonly restsAtMostMs?: number
  readonly now?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Begins now. */
export function startPace(terms: PaceTerms): Pace {
  const { isHurried, restsAtMostMs = Number.POSITIVE_INFINITY, now = () => performance.now(), pause = sleep } = terms
  let free = freeMs
  let left = restsAtMostMs
  let since = now()
  return {
    pause: async () => {
      const worked = now() - since
      const rest = Math.min((worked - free) * restPerWork, longestRestMs, left)
      free = Math.max(0, free - worked)
      if (rest > 0 && !isHurried()) {
        left -= rest
        await pause(rest)
      }
      since = now()
    },
  }
}
