/**
 * One slow address may use only part of its origin's delivery slots, so that other addresses of the same host still find free ones.
 * Addresses differ by path and not by query, because merchants put order numbers into the query.
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
      const own = addresses.enter(addressKey(address), now)
      if (!own.admitted) return own
      const shared = origins.enter(URL.parse(address)?.origin ?? address, now)
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
