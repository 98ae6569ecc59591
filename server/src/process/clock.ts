/** Time. A live instance has the machine's; one in sandbox mode adds an offset that the operator moves forward. */
import type { Clock } from '../contracts/ports.ts'

export interface MovableClock extends Clock {
  /** Milliseconds ahead of the machine's clock. */
  readonly offsetMs: number
  /** Never back. */
  moveTo(offsetMs: number): void
}

/** The machine's own time, for comparing it with another machine's. Everything else takes a Clock. */
export const machineMs = (): number => Date.now()

export function systemClock(): MovableClock {
  let offset = 0
  return {
    get offsetMs() {
      return offset
    },
    // Forward only: an older reading of the offset that arrives late must not turn time back.
    moveTo: (offsetMs) => {
      offset = Math.max(offset, offsetMs)
    },
    now: () => new Date(Date.now() + offset),
  }
}
