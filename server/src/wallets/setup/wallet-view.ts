/** What is shown of a merchant's wallet: everything but secrets, which appear as fingerprints. Chapter 40 §3. */
import type { WalletDomain, WalletKeyRecord, WalletRecordKey, WalletSettings } from '../../contracts/wallet-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { readWalletState } from '../accounts/facts.ts'
import { type DerivedState, walletState } from '../accounts/state.ts'

type ShownKey = Omit<WalletKeyRecord, 'privateSealed' | 'spki'> & { readonly spki: string }

export interface WalletView extends DerivedState {
  readonly settings: WalletSettings
  /** Keys of the record itself; a platform merchant has none. */
  readonly keys: readonly ShownKey[]
  readonly domains: readonly WalletDomain[]
}

export async function viewWallet(pool: Queryable, recordKey: WalletRecordKey, now: Date): Promise<WalletView | null> {
  const facts = await readWalletState(pool, recordKey, now)
  if (facts === null) return null
  const keys = await walletKeyStore(pool).list(recordKey)
  return { ...walletState(facts), settings: facts.settings, keys: keys.map(shownKey), domains: facts.domains }
}

export function shownKey({ privateSealed: _sealed, spki, ...shown }: WalletKeyRecord): ShownKey {
  return { ...shown, spki: spki.toString('base64') }
}
