/** A clock that a test moves; it begins when the rows of callbacks are created. */
import { madeAt } from './callback-rows.ts'

export interface MovableClock {
  now(): Date
  moveTo(at: Date): void
  move(seconds: number): void
}

export function movableClock(from = madeAt): MovableClock {
  let nowMs = from.getTime()
  return {
    now: () => new Date(nowMs),
    moveTo: (at) => {
      nowMs = at.getTime()
    },
    move: (seconds) => {
      nowMs += seconds * 1000
    },
  }
}
