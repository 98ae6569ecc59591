/**
 * One slow address may use only part of its origin's delivery slots, so that other addresses of the same host still find free ones.
 * Addresses differ by path and not by query, because merchants put order numbers into the query.
 *
 * An address that answers quickly needs no slot of its origin, so that hanging ones do not delay it. An address that was never tried
 * competes with others of its kind only, because the hanging ones among them are known after one timeout. All slow addresses together use
 * at most half of the deliveries that may be under way, so that many of them leave room for those that were never tried. See
 * decisions/callbacks#hanging-deliveries.
 */
import { addressKey } from '#domain/address/callback-address.ts'
import { limits } from '#domain/limits.ts'
import { type Admission, slotShares } from './slot-shares.ts'

export interface AddressShares {
  enter(address: string, now: Date): Admission
}

const shareOfOrigin = 0.25
/** Three quarters of the origin's share of the slots. */
const shareOfAddress = 0.1875
const shareOfSlow = 0.5
const allSlow = 'all slow addresses'
const { timeoutMs } = limits.callback

/** `most`: deliveries that may be under way, those that no longer occupy a slot included. */
export function addressShares(slots: number, most = slots): AddressShares {
  const addresses = slotShares(slots, shareOfAddress)
  const origins = slotShares(most, shareOfOrigin)
  const slow = slotShares(most, shareOfSlow)
  return {
    enter(address, now) {
      const key = addressKey(address)
      const pace = addresses.paceOf(key)
      const own = addresses.enter(key, now)
      if (!own.admitted || pace === 'quick') return own
      const shared = [() => origins.enter(`${pace} ${URL.parse(address)?.origin ?? address}`, now)]
      if (pace === 'slow') shared.push(() => staysSlow(slow.enter(allSlow, now)))
      return enterAll(own, shared)
    },
  }
}

/** One of them that answers quickly again says nothing about the others, and must not lift their bound. */
function staysSlow(entry: Admission): Admission {
  if (!entry.admitted) return entry
  return { admitted: true, leave: (tookMs) => entry.leave(tookMs && Math.max(tookMs, timeoutMs)) }
}

/** Leaves what was entered if a later one refuses. */
function enterAll(own: Extract<Admission, { admitted: true }>, further: readonly (() => Admission)[]): Admission {
  const entered = [own]
  const leave = (tookMs: number | null): void => {
    for (const one of entered) one.leave(tookMs)
  }
  for (const enter of further) {
    const next = enter()
    if (!next.admitted) {
      leave(null)
      return next
    }
    entered.push(next)
  }
  return { admitted: true, leave }
}
