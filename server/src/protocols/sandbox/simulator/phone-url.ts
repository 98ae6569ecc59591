/** The address in a scan code (Chapter 40 §20.4). */
import { isThisMachine } from '#domain/address/loopback.ts'

/** The one that the page names, unless it is of this machine alone and the public address can be opened by a phone. */
export function phoneUrl(named: unknown, usual: string): string {
  const page = typeof named === 'string' ? URL.parse(named) : null
  if (page === null) return usual
  return isThisMachine(page.hostname) && !isThisMachine(new URL(usual).hostname) ? usual : page.href
}
