/**
 * One slow address may use only part of its origin's delivery slots, so that other addresses of the same host still find free ones.
 * Addresses differ by path and not by query, because merchants put order numbers into the query.
 *
 * An address that answers quickly needs no slot of its origin, so that hanging ones do not delay it. An address that was never tried
 * competes with others of its kind only, because the hanging ones among them are known after one timeout.
 */
import { addressKey } from '#domain/address/callback-address.ts'
import { type Admission, slotShares } from './slot-shares.ts'

export interface AddressShares {
  enter(address: string, now: Date): Admission
}

const shareOfOrigin = 0.25
/** Three quarters of the origin's share. */
const shareOfAddress = 0.1875

export function addressShares(slots: number): AddressShares {
  const addresses = slotShares(slots, shareOfAddress)
  const origins = slotShares(slots, shareOfOrigin)
  return {
    enter(address, now) {
      const key = addressKey(address)
      const pace = addresses.paceOf(key)
      const own = addresses.enter(key, now)
      if (!own.admitted || pace === 'quick') return own
      const shared = origins.enter(`${pace} ${URL.parse(address)?.origin ?? address}`, now)
      if (!shared.admitted) {
        own.leave(null)
        return shared
      }
      return {
        admitted: true,
        leave(tookMs) {
          own.leave(tookMs)
          shared.leave(tookMs)
        },
      }
    },
  }
}
