/** Time. A live instance uses the machine's; a sandbox adds an offset that the operator moves forward. */
import type { Clock } from '../contracts/ports.ts'

export interface MovableClock extends Clock {
  /** Milliseconds ahead of the machine's clock. */
  readonly offsetMs: number
  /** Forward only. */
  moveTo(offsetMs: number): void
}

/** The machine's time, even in a sandbox whose clock was moved: for what concerns people and other machines, such as signatures. */
export const machineTime = (clock: MovableClock): Clock => ({
  now: () => new Date(clock.now().getTime() - clock.offsetMs),
})

/** The machine's own time, for comparison with another machine's. All other code uses a Clock. */
export const machineMs = (): number => Date.now()

export function systemClock(): MovableClock {
  let offset = 0
  return {
    get offsetMs() {
      return offset
    },
    // Forward only: an older offset that arrives late must not turn time back.
    moveTo: (offsetMs) => {
      offset = Math.max(offset, offsetMs)
    },
    now: () => new Date(Date.now() + offset),
  }
}
