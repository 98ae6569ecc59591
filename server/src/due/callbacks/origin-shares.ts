/**
 * Keeps one slow receiver from taking every place of the engine.
 *
 * Up to a quarter of the places an origin has for the asking; more only while it answers quickly, since it then gives them
 * back at once. A callback beyond its origin's share is told when, at the origin's pace, its turn comes, and goes back to its row until then.
 *
 * By origin and not by URL, because a merchant may put the order's number into each URL. Per process: each has its own places.
 */
interface OriginShares {
  enter(origin: string, now: Date): Turn
}

/** A place that was not used is left with null. */
export type Turn =
  | { readonly admitted: true; leave(tookMs: number | null): void }
  | { readonly admitted: false; readonly comeBackAt: Date }

interface Origin {
  running: number
  /** How long the last exchange took; null before the first has ended. */
  paceMs: number | null
  /** When, at this pace, the last one that was sent back has its turn. */
  lastTurnMs: number
}

const quickMs = 1_000
/** The guess for an origin that has not answered yet. */
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
        return { admitted: false, comeBackAt: nextTurn(origin, share, now) }

      origin.running += 1
      // Set anew, so that the map is in the order of last use.
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

function nextTurn(origin: Origin, share: number, now: Date): Date {
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
