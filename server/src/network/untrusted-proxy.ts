/**
 * Notices a proxy that is missing in `TRUSTED_PROXIES`. All callers behind it share its address: they share one rate limit, and address lists
 * refuse all of them. A caller without a proxy may send the header, too, so this is a hint, once per listener.
 */
import { type Caller, type IpList, peerAddress } from './ip-list.ts'

/** Returns a check for each request; it reports the first address whose header is not trusted. */
export function noticeUntrustedProxy(trusted: IpList, report: (address: string) => void): (request: Caller) => void {
  let isReported = false
  return (request) => {
    if (isReported || request.headers['x-forwarded-for'] === undefined) return
    const address = peerAddress(request)
    if (trusted.includes(address)) return
    isReported = true
    report(address)
  }
}
