/** Creates and changes merchants, with their identifiers and sealed secrets, for the command line, the panel and the demo. */
import type { Merchant } from '#domain/merchant.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { Ids } from '../contracts/ports.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import type { Vault } from '../vault/port.ts'
import type { SetupContext } from './context.ts'
import { sealAddresses } from './merchant-addresses.ts'

/** Shown once: afterwards only the vault has them. */
export interface NewMerchant {
  readonly merchant: Merchant
  readonly password: Secret<string>
  readonly webhookSecret: Secret<string>
}

export type MerchantSettings = Pick<Merchant, 'name' | 'title'> &
  Partial<Omit<Merchant, 'id' | 'name' | 'title' | 'key' | 'testKey'>>

export async function createMerchant(context: SetupContext, wishes: MerchantSettings): Promise<NewMerchant> {
  const { pool, vault, clock, ids } = context
  const id = ids.next()
  const merchant: Merchant = {
    contactEmail: null,
    notificationUrl: null,
    testNotificationUrl: null,
    allowedIps: [],
    status: 'active',
    testOnly: false,
    mpiService: 'none',
    defaultCurrency: null,
    timeZone: 'UTC',
    debitCommission: new Map(),
    ratePerSecond: null,
    vatPercent: null,
    ...(await sealAddresses(context, id, {}, wishes)),
    id,
    key: randomUuid(ids),
    testKey: randomUuid(ids),
  }
  const password = newPassword(ids)
  const webhookSecret = newWebhookSecret(ids)
  await merchantStore(pool).add(
    {
      ...merchant,
      passwordSealed: await vault.seal(merchant.id, 'password', password),
      previousPasswordSealed: null,
      previousPasswordUntil: null,
      webhookSecretsSealed: await sealSecrets(vault, merchant.id, [webhookSecret]),
    },
    clock.now(),
  )
  return { merchant, password, webhookSecret }
}

/** The old password verifies requests until `until`; callbacks are signed with the new one at once. */
export async function rotatePassword(
  { pool, vault, ids }: SetupContext,
  merchantId: string,
  until: Date,
): Promise<Secret<string>> {
  const password = newPassword(ids)
  await merchantStore(pool).rotatePassword(merchantId, await vault.seal(merchantId, 'password', password), until)
  return password
}

/** Callbacks are signed with every active secret, so that a receiver can switch without losing one. */
export async function replaceWebhookSecrets(
  { pool, vault }: SetupContext,
  merchantId: string,
  secrets: readonly Secret<string>[],
): Promise<void> {
  await merchantStore(pool).replaceWebhookSecrets(merchantId, await sealSecrets(vault, merchantId, secrets))
}

const newPassword = (ids: Ids): Secret<string> => secret(ids.random(16))

export const newWebhookSecret = (ids: Ids): Secret<string> =>
  secret(`whsec_${Buffer.from(ids.random(24), 'hex').toString('base64')}`)

const sealSecrets = (vault: Vault, merchantId: string, secrets: readonly Secret<string>[]): Promise<Buffer> =>
  vault.seal(merchantId, 'webhook-secret', secret(JSON.stringify(secrets.map((one) => one.reveal()))))

/** Fully random instead of time-ordered, so that a merchant's key cannot be guessed. */
function randomUuid(ids: Ids): string {
  const hex = ids.random(16)
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
