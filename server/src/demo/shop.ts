/** The demo shop, a merchant of the sandbox: like for any merchant, the gateway knows only its callback address. */
import type { SetupContext } from '../setup/context.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { demoMerchants } from './demo-tables.ts'

export const shopUrl = (sandboxUrl: string): string => `${sandboxUrl}/shop`

/**
 * Callbacks of the first demo merchant go to the shop unless a user has changed the address. The shop's port may differ from start to
 * start.
 */
export async function ensureDemoShop(context: SetupContext, sandboxUrl: string): Promise<void> {
  const [first] = demoMerchants
  if (first) await sendCallbacksToShop(context, first.name, sandboxUrl)
}

export async function sendCallbacksToShop(
  { pool }: SetupContext,
  merchantName: string,
  sandboxUrl: string,
): Promise<void> {
  const address = `${shopUrl(sandboxUrl)}/callbacks`
  const merchant = (await merchantStore(pool).list()).find(({ name }) => name === merchantName)
  if (!merchant || merchant.notificationUrl === address) return
  if (merchant.notificationUrl !== null && !earlierShopAddress.test(merchant.notificationUrl)) return
  await merchantStore(pool).change({ ...merchant, notificationUrl: address })
}

const earlierShopAddress = /^http:\/\/127\.0\.0\.1:[0-9]+\/shop\/callbacks$/
