/** A merchant's wallet as its provider knows it, for the simulator: identifiers and public keys, including past ones. Chapter 40 §20.3. */
import { type Merchant, type Mode, publicIdOf } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { environmentOf } from './accounts.ts'

/** With the sandbox's member names. */
interface SimulatorRecipient {
  readonly merchant_identifier: string
  readonly keys: readonly { readonly state: string; readonly spki: string }[]
  readonly gateway: string
  readonly gateway_merchant_id: string
  readonly environment: 'PRODUCTION' | 'TEST'
}

/** Null if the wallet has no settings, or trusts the real provider and would refuse every simulated token. */
export async function findSimulatorRecipient(
  pool: Queryable,
  terms: { readonly gateway: string },
  { merchant, mode, wallet }: { readonly merchant: Merchant; readonly mode: Mode; readonly wallet: Wallet },
): Promise<SimulatorRecipient | null> {
  const store = walletSettingsStore(pool)
  const settings = await store.find({ merchantId: merchant.id, mode, wallet })
  if (settings?.trustSource !== 'sandbox authority') return null
  const platform = settings.setup === 'platform' ? await store.find(platformRecordKey(wallet)) : null
  const owner = platform ?? settings
  const keys = await walletKeyStore(pool).list(owner)
  const { fields } = settings
  return {
    merchant_identifier: owner.fields.merchantIdentifier ?? '',
    keys: keys
      .filter(({ role }) => role === 'processing')
      .map(({ state, spki }) => ({ state, spki: spki.toString('base64') })),
    gateway: fields.gateway ?? terms.gateway,
    gateway_merchant_id: fields.gatewayMerchantId ?? publicIdOf(merchant, mode),
    environment: fields.environment ?? environmentOf(mode),
  }
}
