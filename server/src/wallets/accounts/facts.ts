/** Reads everything that decides the state of a merchant's wallet. */
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { ownerOf, type WalletStateData } from './state.ts'

export async function readWalletState(
  pool: Queryable,
  recordKey: WalletRecordKey,
  now: Date,
): Promise<WalletStateData | null> {
  const store = walletSettingsStore(pool)
  const settings = await store.find(recordKey)
  if (settings === null) return null
  const platform = settings.setup === 'platform' ? await store.find(platformRecordKey(recordKey.wallet)) : null
  const owner = ownerOf({ settings, platform })
  const keys = owner ? await walletKeyStore(pool).list(owner) : []
  const domains = await walletDomainStore(pool).list(recordKey.merchantId, recordKey.wallet)
  return { settings, platform, keys, domains, now }
}
