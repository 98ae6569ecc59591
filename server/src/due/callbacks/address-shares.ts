/**
 * The places that one address may take while it is slow: a part of what its origin may take, so that another address of the same host still
 * finds some free. By path and not by query, because a merchant may put the order's number there.
 */
import { addressKey } from '#domain/address/callback-address.ts'
import { originShares, type Turn } from './origin-shares.ts'

export interface AddressShares {
  enter(address: string, now: Date): Turn
}

const shareOfOrigin = 0.25
/** Three quarters of it. */
const shareOfAddress = 0.1875

export function addressShares(places: number): AddressShares {
  const addresses = originShares(places, shareOfAddress)
  const origins = originShares(places, shareOfOrigin)
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
