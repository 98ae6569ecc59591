/**
 * Keeps one slow receiver from occupying all delivery slots of the worker.
 *
 * An origin may always use a quarter of the slots; more only while it answers quickly, because it then frees them at once. A callback
 * beyond its origin's share is deferred to when, at the origin's pace, a slot will be free.
 *
 * By origin and not by URL, because a merchant may put an order number into each URL. Per process: each has its own slots.
 */
interface OriginShares {
  enter(origin: string, now: Date): Admission
}

/** A slot that was not used is released with null. */
export type Admission =
  | { readonly admitted: true; leave(tookMs: number | null): void }
  | { readonly admitted: false; readonly comeBackAt: Date }

interface Origin {
  running: number
  /** How long the last exchange took; null before the first has ended. */
  paceMs: number | null
  /** When, at this pace, the last deferred callback gets its slot. */
  lastTurnMs: number
}

const quickMs = 1_000
/** The assumed pace of an origin that has not answered yet. */
const firstPaceMs = 250
const comeBackWithinMs = 300_000
const originsKept = 10_000

export function originShares(places: number, shareOfPlaces = 0.25): OriginShares {
  const share = Math.max(1, Math.floor(places * shareOfPlaces))
  const origins = new Map<string, Origin>()

  return {
    enter(name, now) {
      const origin = origins.get(name) ?? { running: 0, paceMs: null, lastTurnMs: 0 }
      if (origin.running >= share && !isQuick(origin))
        return { admitted: false, comeBackAt: nextAdmission(origin, share, now) }

      origin.running += 1
      // Inserted again, so that the map stays in the order of last use.
      origins.delete(name)
      origins.set(name, origin)
      forgetUnused(origins)
      return {
        admitted: true,
        leave(tookMs) {
          origin.running -= 1
          origin.paceMs = tookMs ?? origin.paceMs
        },
      }
    },
  }
}

function isQuick({ paceMs }: Origin): boolean {
  return paceMs !== null && paceMs <= quickMs
}

function nextAdmission(origin: Origin, share: number, now: Date): Date {
  const from = Math.max(origin.lastTurnMs, now.getTime())
  const turnMs = from + (origin.paceMs ?? firstPaceMs) / share
  origin.lastTurnMs = Math.min(turnMs, now.getTime() + comeBackWithinMs)
  return new Date(origin.lastTurnMs)
}

function forgetUnused(origins: Map<string, Origin>): void {
  if (origins.size <= originsKept) return
  for (const [name, { running }] of origins) {
    if (running > 0) continue
    origins.delete(name)
    return
  }
}
