/**
 * Keeps one slow receiver from occupying all delivery slots of the worker.
 *
 * A receiver may always use its share of the slots; more only while it answers quickly, because it then frees them at once. A callback
 * beyond the share is deferred to when, at the receiver's pace, a slot will be free.
 *
 * A receiver is an origin, or an address without its query (`address-shares.ts`); never a whole URL, because a merchant may put an order
 * number into each. The shares are per process, because each process has its own slots.
 */
interface SlotShares {
  enter(receiver: string, now: Date): Admission
  paceOf(receiver: string): Pace
}

/** By the receiver's last exchange. */
type Pace = 'untried' | 'quick' | 'slow'

/** A slot that was not used is released with null. */
export type Admission =
  | { readonly admitted: true; leave(tookMs: number | null): void }
  | { readonly admitted: false; readonly comeBackAt: Date }

interface Receiver {
  running: number
  /** How long the last exchange took; null before the first has ended. */
  paceMs: number | null
  /** When, at this pace, the last deferred callback gets its slot. */
  lastTurnMs: number
}

const quickMs = 1_000
/** The assumed pace of a receiver that has not answered yet. */
const firstPaceMs = 250
const comeBackWithinMs = 300_000
const receiversMost = 10_000

export function slotShares(slots: number, fraction = 0.25): SlotShares {
  const share = Math.max(1, Math.floor(slots * fraction))
  const receivers = new Map<string, Receiver>()

  return {
    paceOf(name) {
      const receiver = receivers.get(name)
      if (!receiver || receiver.paceMs === null) return 'untried'
      return isQuick(receiver) ? 'quick' : 'slow'
    },
    enter(name, now) {
      const receiver = receivers.get(name) ?? { running: 0, paceMs: null, lastTurnMs: 0 }
      if (receiver.running >= share && !isQuick(receiver))
        return { admitted: false, comeBackAt: nextAdmission(receiver, share, now) }

      receiver.running += 1
      // Inserted again, so that the map stays in the order of last use.
      receivers.delete(name)
      receivers.set(name, receiver)
      forgetUnused(receivers)
      return {
        admitted: true,
        leave(tookMs) {
          receiver.running -= 1
          receiver.paceMs = tookMs ?? receiver.paceMs
        },
      }
    },
  }
}

function isQuick({ paceMs }: Receiver): boolean {
  return paceMs !== null && paceMs <= quickMs
}

function nextAdmission(receiver: Receiver, share: number, now: Date): Date {
  const from = Math.max(receiver.lastTurnMs, now.getTime())
  const turnMs = from + (receiver.paceMs ?? firstPaceMs) / share
  receiver.lastTurnMs = Math.min(turnMs, now.getTime() + comeBackWithinMs)
  return new Date(receiver.lastTurnMs)
}

function forgetUnused(receivers: Map<string, Receiver>): void {
  if (receivers.size <= receiversMost) return
  for (const [name, { running }] of receivers) {
    if (running > 0) continue
    receivers.delete(name)
    return
  }
}
