/** Addresses to which callbacks are held back because they did not answer. Chapter 10 §11. */
import { blockedUrls, unblock } from '../store/callback-log.ts'
import { notFound } from './admin-refused.ts'
import type { AuditNote } from './audit.ts'
import { merchantsFor } from './merchants.ts'
import type { Panel } from './panel.ts'
import type { Grant } from './permissions.ts'

export interface BlockedAddress {
  readonly url: string
  readonly until: Date
  /** Whose notification address it is; none when a payment named it itself. */
  readonly merchantIds: readonly string[]
}

/** Who is restricted to some merchants sees their addresses alone. */
export async function blockedFor(panel: Panel, grant: Grant): Promise<readonly BlockedAddress[]> {
  const merchants = await merchantsFor(panel, grant)
  const blocked = (await blockedUrls(panel.pool, panel.clock.now())).map(({ url, until }) => ({
    url,
    until,
    merchantIds: merchants
      .filter(({ notificationUrl, testNotificationUrl }) => notificationUrl === url || testNotificationUrl === url)
      .map(({ id }) => id),
  }))
  return blocked.filter(({ merchantIds }) => grant.merchants === 'all' || merchantIds.length > 0)
}

export async function unblockFor(panel: Panel, grant: Grant, url: string): Promise<AuditNote> {
  const address = (await blockedFor(panel, grant)).find((one) => one.url === url)
  if (address === undefined) throw notFound()
  await unblock(panel.pool, url, panel.clock.now())
  const [merchantId = null] = address.merchantIds.length === 1 ? address.merchantIds : []
  return { action: 'callback-url.unblock', subject: 'callback-url', merchantId, before: { url, until: address.until } }
}
