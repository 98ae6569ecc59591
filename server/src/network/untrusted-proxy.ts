/**
 * Notices a proxy that is missing in `TRUSTED_PROXIES`. Everybody behind it then has its address: rate limits of one caller meet all, and lists of
 * allowed addresses refuse everybody. A caller without a proxy may send the header, too, so this is a hint, once per listener.
 */
import { type Caller, type IpList, peerAddress } from './ip-list.ts'

/** Returns what looks at each request; `tell` gets the address of the first one whose header was not believed. */
export function noticeUntrustedProxy(trusted: IpList, tell: (address: string) => void): (request: Caller) => void {
  let isReported = false
  return (request) => {
    if (isReported || request.headers['x-forwarded-for'] === undefined) return
    const address = peerAddress(request)
    if (trusted.includes(address)) return
    isReported = true
    tell(address)
  }
}
