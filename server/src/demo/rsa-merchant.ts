/**
 * A merchant with an RSA processing key for wallet A, as in some regions (Chapter 40 §11.4). It is not part of the demo; the run of
 * negative cases for every version creates it when needed.
 */
import { protocols } from '#domain/merchant.ts'
import type { SetupContext } from '../setup/context.ts'
import { createMerchant } from '../setup/merchants.ts'
import { linkMerchant } from '../setup/mids.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import { walletKeyStore } from '../store/wallets/wallet-keys.ts'
import { enableForTesting } from '../wallets/setup/enable-wallet.ts'
import { demoOptions } from './demo-tables.ts'

export const rsaMerchant = { name: 'demo-wallet-rsa', title: 'Wallet A with RSA' } as const

/** Existing parts stay, so it may be called at every run. Returns the merchant's id if something was missing. */
export async function addRsaMerchant(context: SetupContext, sandboxUrl: string): Promise<string | null> {
  const id = (await findMerchant(context)) ?? (await createRsaMerchant(context))
  const place = { merchantId: id, mode: 'live', wallet: 'walletapay' } as const
  const keys = await walletKeyStore(context.pool).list(place)
  if (keys.some(({ role, state }) => role === 'processing' && state === 'current')) return null
  await enableForTesting(context, { ...rsaMerchant, ...place, decrypts: true, keyType: 'RSA' }, sandboxUrl)
  return id
}

async function findMerchant({ pool }: SetupContext): Promise<string | undefined> {
  return (await merchantStore(pool).list()).find(({ name }) => name === rsaMerchant.name)?.id
}

async function createRsaMerchant(context: SetupContext): Promise<string> {
  const { merchant } = await createMerchant(context, { ...rsaMerchant, mpiService: 'sandbox' })
  const { id: merchantId } = merchant
  for (const protocol of protocols) {
    await protocolMappingStore(context.pool).put({
      merchantId,
      protocol,
      enabled: true,
      options: demoOptions(protocol),
    })
  }
  const mids = (await midStore(context.pool).list()).filter(({ name }) =>
    ['sandbox-live', 'sandbox-test'].includes(name),
  )
  for (const { id: midId } of mids) await linkMerchant(context, { merchantId, midId, priority: 10 })
  return merchantId
}
