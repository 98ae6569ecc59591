/** Accounts for single tests: a merchant and MIDs at the sandbox acquirer, each with exactly the restrictions under test. */
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { JsonObject } from '#server/contracts/records.ts'
import { createMerchant, type MerchantSettings } from '#server/setup/merchants.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { protocolMappingStore } from '#server/store/configuration/protocol-mappings.ts'
import type { Shop } from './shop.ts'

export interface AccountOptions {
  readonly merchant?: Omit<MerchantSettings, 'name' | 'title'>
  /** Options of the S2S CARD mapping; null creates no mapping. */
  readonly options?: JsonObject | null
  /** In the order of their priority; by default a MID supports everything that the sandbox acquirer supports. */
  readonly mids?: readonly AccountMid[]
}

export type AccountMid = Partial<Mid> & { readonly mapping?: Partial<MerchantMapping> }

let accountCount = 0

/** Returns the name under which the shop knows the merchant. Its MIDs are named after it with `-1`, `-2` and so on. */
export async function openAccount(shop: Shop, wishes: AccountOptions = {}): Promise<string> {
  const { merchant: more = {}, options = {}, mids = [{}] } = wishes
  accountCount += 1
  const name = `account-${accountCount}`
  const { merchant, password } = await createMerchant(shop.base, {
    title: name,
    notificationUrl: shop.receiver.url,
    ...more,
    name,
  })
  if (options) {
    const mappings = protocolMappingStore(shop.base.pool)
    await mappings.put({
      merchantId: merchant.id,
      protocol: 'S2S_CARD',
      enabled: true,
      options: { payouts: true, ...options },
    })
  }
  for (const [index, mid] of mids.entries()) {
    const place = { merchantId: merchant.id, name: `${name}-${index + 1}`, priority: index + 1 }
    await addMid(shop, place, mid)
  }
  await shop.service.configuration.refresh()
  shop.merchants.set(name, { name, key: merchant.key, test_key: merchant.testKey, password: password.reveal() })
  return name
}

/** Everything that a MID can support. */
const allRound: Partial<Mid> = {
  motoEnabled: true,
  cardOnFileEnabled: true,
  zeroAmount: true,
  cardFlow: true,
  acceptsDecrypted: true,
  wallets: ['walletapay', 'walletbpay'],
  descriptor: 'TEST',
}

interface MidPlace {
  readonly merchantId: string
  readonly name: string
  readonly priority: number
}

async function addMid(shop: Shop, { merchantId, name, priority }: MidPlace, wishes: AccountMid): Promise<void> {
  const { mapping = {}, ...features } = wishes
  const credentials = { mid: name, base_url: shop.sandbox.url }
  const mid = await createMid(
    shop.base,
    { ...allRound, mode: 'live', ...features, name, connector: 'sandbox' },
    credentials,
  )
  await linkMerchant(shop.base, { priority, ...mapping, merchantId, midId: mid.id })
}
