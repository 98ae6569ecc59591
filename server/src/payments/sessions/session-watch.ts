/**
 * Wakes requests that wait for the outcome of a session when this process writes it. Chapter 30 §7.10, `state`.
 *
 * Outcomes that another process writes wake nothing here: the waiting request finds them when its timeout ends.
 */
import type { Payments } from '../../contracts/ports.ts'
import type { SessionWatch } from '../../contracts/session-ports.ts'

export function sessionWatch(): SessionWatch {
  const waiting = new Map<string, Set<() => void>>()
  return {
    announceChange: (sessionId) => {
      const wakers = waiting.get(sessionId)
      waiting.delete(sessionId)
      for (const wake of wakers ?? []) wake()
    },
    waitForChange: (sessionId, milliseconds) =>
      new Promise((resolve) => {
        const wakers = waiting.get(sessionId) ?? new Set()
        waiting.set(sessionId, wakers)
        const wake = (): void => {
          clearTimeout(timer)
          wakers.delete(wake)
          if (wakers.size === 0 && waiting.get(sessionId) === wakers) waiting.delete(sessionId)
          resolve()
        }
        const timer = setTimeout(wake, milliseconds)
        wakers.add(wake)
      }),
  }
}

/** The same payments; a stored outcome also wakes the requests that wait for its session. Of a cascade only the last one does. */
export function watchedPayments(payments: Payments, watch: SessionWatch): Payments {
  const notifying =
    (write: Payments['settle']): Payments['settle'] =>
    async (outcome) => {
      const written = await write(outcome)
      if (written === 'settled' && !outcome.continuation && outcome.after.sessionId !== null)
        watch.announceChange(outcome.after.sessionId)
      return written
    }
  return {
    ...payments,
    settle: notifying((outcome) => payments.settle(outcome)),
    enter: notifying((outcome) => payments.enter(outcome)),
  }
}
