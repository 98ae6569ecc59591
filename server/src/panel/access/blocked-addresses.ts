/** Callback addresses that are blocked because they did not answer. Chapter 10 §11. */
import { addressKey } from '#domain/address/callback-address.ts'
import { addressFields } from '#domain/merchant.ts'
import type { SetupContext } from '../../setup/context.ts'
import { listBlockedUrls, unblock } from '../../store/callbacks/callback-log.ts'
import { merchantStore } from '../../store/configuration/merchants.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import { type Grant, reaches } from './permissions.ts'

interface BlockedAddress {
  /** Without credentials and query. */
  readonly url: string
  readonly until: Date
  /** The merchants with this notification address; none if a payment named it. */
  readonly merchantIds: readonly string[]
}

type Context = Pick<SetupContext, 'pool' | 'clock'>

/** A user who is restricted to some merchants sees only their addresses. */
export async function listBlockedFor(context: Context, grant: Grant): Promise<readonly BlockedAddress[]> {
  const all = await listBlockedAddresses(context)
  const seen = all.map(({ merchantIds, ...one }) => ({
    ...one,
    merchantIds: merchantIds.filter((id) => reaches(grant, id)),
  }))
  return seen.filter(({ merchantIds }) => grant.merchants === 'all' || merchantIds.length > 0)
}

export async function unblockFor(context: Context, grant: Grant, url: string): Promise<AuditNote> {
  const isSeen = (await listBlockedFor(context, grant)).some((one) => one.url === url)
  const audit = isSeen ? await unblockUrl(context, url) : null
  if (audit === null) throw notFound()
  return audit
}

/** Null if it is not blocked. A merchant sees the audit entry if the address is its own and no other merchant's. */
export async function unblockUrl(context: Context, callbackUrl: string): Promise<AuditNote | null> {
  const url = addressKey(callbackUrl)
  const address = (await listBlockedAddresses(context)).find((one) => one.url === url)
  if (address === undefined || !(await unblock(context.pool, url, context.clock.now()))) return null
  const [merchantId = null] = address.merchantIds.length === 1 ? address.merchantIds : []
  return { action: 'callback-url.unblock', subject: 'callback-url', merchantId, before: { url, until: address.until } }
}

async function listBlockedAddresses({ pool, clock }: Context): Promise<readonly BlockedAddress[]> {
  const merchants = await merchantStore(pool).list()
  return (await listBlockedUrls(pool, clock.now())).map(({ url, until }) => ({
    url,
    until,
    merchantIds: merchants
      .filter((merchant) => addressFields.some((field) => addressKey(merchant[field] ?? '') === url))
      .map(({ id }) => id),
  }))
}
