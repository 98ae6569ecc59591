/** Merchants at the panel: created and changed through the same operations as on the command line. Chapter 50 §1, §8. */

import { addressKey, maskedAddress } from '#domain/address/callback-address.ts'
import { addressFields, type Merchant, protocols, withMaskedAddresses } from '#domain/merchant.ts'
import type { Secret } from '#domain/secret.ts'
import { hourMs } from '#domain/time.ts'
import type { SetupContext } from '../../setup/context.ts'
import { maskedAddressRefusal, maskedElsewhere, sealAddresses } from '../../setup/merchant-addresses.ts'
import {
  createMerchant,
  type MerchantSettings,
  type NewMerchant,
  newWebhookSecret,
  replaceWebhookSecrets,
  rotatePassword,
} from '../../setup/merchants.ts'
import { listBlockedUrls, unblock } from '../../store/callbacks/callback-log.ts'
import { openSecrets } from '../../store/configuration/configuration.ts'
import { type MerchantRow, merchantStore } from '../../store/configuration/merchants.ts'
import { protocolMappingStore } from '../../store/configuration/protocol-mappings.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { type AuditNote, difference } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

export async function listMerchantsFor({ pool }: PanelContext, grant: Grant): Promise<readonly MerchantRow[]> {
  return (await merchantStore(pool).list()).filter(({ id }) => reaches(grant, id))
}

export async function requireMerchant({ pool }: Pick<SetupContext, 'pool'>, id: string): Promise<MerchantRow> {
  const merchant = (await merchantStore(pool).list()).find((one) => one.id === id)
  if (merchant === undefined) throw notFound()
  return merchant
}

/** With a mapping for each protocol, as on the command line. */
export async function enterMerchant(context: PanelContext, wishes: MerchantSettings): Promise<NewMerchant> {
  const isTaken = (await merchantStore(context.pool).list()).some(({ name }) => name === wishes.name)
  if (isTaken) throw invalid('name', 'This name is already in use.')
  refuseMasks({}, wishes)
  const creation = await createMerchant(context, wishes)
  for (const protocol of protocols)
    await protocolMappingStore(context.pool).put({
      merchantId: creation.merchant.id,
      protocol,
      enabled: true,
      options: {},
    })
  await context.configuration.refresh()
  return creation
}

type MerchantChange = Partial<Omit<Merchant, 'id' | 'name' | 'key' | 'testKey'>>

export async function changeMerchant(
  context: PanelContext,
  id: string,
  change: MerchantChange,
): Promise<{ readonly merchant: MerchantRow; readonly audit: AuditNote }> {
  const { before, merchant } = await inTransaction(context.pool, async (client) => {
    await merchantStore(client).lock(id)
    const found = await requireMerchant({ pool: client }, id)
    refuseMasks(found, change)
    const changed = { ...found, ...(await sealAddresses({ ...context, pool: client }, id, found, change)) }
    await merchantStore(client).change(changed)
    return { before: found, merchant: changed }
  })
  await context.configuration.refresh()
  return {
    merchant,
    audit: { ...merchantAudit('merchant.change', id), ...settingsDifference(before, merchant) },
  }
}

function refuseMasks(before: Partial<Merchant>, wishes: Partial<Merchant>): void {
  const field = maskedElsewhere(before, wishes)
  if (field !== null) throw invalid(field, maskedAddressRefusal)
}

/** The old password verifies requests until the overlap ends; callbacks are signed with the new one at once. */
export async function issueMerchantPassword(
  context: PanelContext,
  merchantId: string,
  overlapHours: number,
): Promise<{ readonly password: Secret<string>; readonly until: Date; readonly audit: AuditNote }> {
  const until = new Date(context.clock.now().getTime() + overlapHours * hourMs)
  const password = await rotatePassword(context, merchantId, until)
  await context.configuration.refresh()
  return {
    password,
    until,
    audit: { ...merchantAudit('merchant.rotate-password', merchantId), after: { oldUntil: until } },
  }
}

/** Adds a secret to the existing ones. */
export async function addWebhookSecret(context: PanelContext, merchantId: string): Promise<Secret<string>> {
  const webhookSecret = newWebhookSecret(context.ids)
  await changeWebhookSecrets(context, merchantId, (present) => {
    if (present.length >= 5)
      throw new AdminRefused('conflict', {
        message: 'A merchant can have at most five webhook secrets. Remove the older ones first.',
      })
    return [...present, webhookSecret]
  })
  return webhookSecret
}

/** Keeps only the newest. Returns how many were removed. */
export async function dropOldWebhookSecrets(context: PanelContext, merchantId: string): Promise<number> {
  const present = await changeWebhookSecrets(context, merchantId, (secrets) => secrets.slice(-1))
  return present.length - 1
}

/** Reads the stored secrets, not this process's copy: another process may have added one that was shown to a person. */
async function changeWebhookSecrets(
  context: PanelContext,
  merchantId: string,
  change: (present: readonly Secret<string>[]) => readonly Secret<string>[],
): Promise<readonly Secret<string>[]> {
  const present = await inTransaction(context.pool, async (client) => {
    await merchantStore(client).lock(merchantId)
    const { webhookSecrets } = await openSecrets(context.vault, await requireMerchant({ pool: client }, merchantId))
    await replaceWebhookSecrets({ ...context, pool: client }, merchantId, change(webhookSecrets))
    return webhookSecrets
  })
  await context.configuration.refresh()
  return present
}

interface NotificationAddress {
  readonly url: string
  readonly blockedUntil: Date | null
}

/** The merchant's own addresses, and whether deliveries to them are blocked. */
export async function listNotificationAddresses(
  { pool, clock }: PanelContext,
  { notificationUrl, testNotificationUrl }: Merchant,
): Promise<readonly NotificationAddress[]> {
  const blocked = new Map((await listBlockedUrls(pool, clock.now())).map(({ url, until }) => [url, until]))
  const stored = [notificationUrl, testNotificationUrl].filter((url) => url !== null)
  const shown = new Map(stored.map((url) => [maskedAddress(url), blocked.get(addressKey(url)) ?? null]))
  return [...shown].map(([url, blockedUntil]) => ({ url, blockedUntil }))
}

/** Only the merchant's own addresses. */
export async function unblockAddress({ pool, clock }: PanelContext, merchant: Merchant, url: string): Promise<boolean> {
  const { notificationUrl, testNotificationUrl } = withMaskedAddresses(merchant)
  if (url !== notificationUrl && url !== testNotificationUrl) throw notFound()
  return unblock(pool, url, clock.now())
}

export const merchantAudit = (action: string, merchantId: string) => ({
  action,
  subject: `merchant ${merchantId}`,
  merchantId,
})

/** For the audit log. Re-entered credentials do not show in the masked address, so a remark does. */
export const settingsDifference = (before: MerchantRow, after: MerchantRow) =>
  difference(settingsOf(before), settingsAfter(before, settingsOf(after), after))

export function settingsAfter<Shown extends Merchant>(before: Merchant, shown: Shown, after: Merchant): Shown {
  const hidden = withMaskedAddresses(before)
  const unseenChanges = addressFields
    .filter((field) => before[field] !== after[field] && hidden[field] === shown[field])
    .map((field) => [field, `${shown[field]} (credentials re-entered)`] as const)
  return { ...shown, ...Object.fromEntries(unseenChanges) }
}

/** Without the sealed columns. */
function settingsOf(row: MerchantRow): Merchant {
  const {
    passwordSealed: _password,
    previousPasswordSealed: _previous,
    previousPasswordUntil: _until,
    webhookSecretsSealed: _secrets,
    ...merchant
  } = row
  return withMaskedAddresses(merchant)
}
