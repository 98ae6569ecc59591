/** Informs a merchant that its wallet is live: once, and again only after it had stopped. Chapter 40 §2, through the platform, step 2. */
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { walletWatchStore } from '../../store/wallets/wallet-watches.ts'
import { readWalletState } from './facts.ts'
import { takesPayments, walletState } from './state.ts'
import type { WalletMail } from './wallet-mail.ts'

export async function announce(
  pool: Queryable,
  mail: WalletMail,
  recordKey: WalletRecordKey,
  now: Date,
): Promise<void> {
  const facts = await readWalletState(pool, recordKey, now)
  if (facts === null) return
  const { state } = walletState(facts)
  const watches = walletWatchStore(pool)
  const announced = await watches.isAnnounced(recordKey)
  if (state === 'live' && !announced) {
    // The mail is written first: a process that dies in between causes a second mail rather than none.
    await mail.announceLive(recordKey)
    await watches.keepAnnounced(recordKey, true)
  }
  // A wallet that was only degraded meanwhile, because a domain failed, is not announced again.
  if (announced && !takesPayments(state)) await watches.keepAnnounced(recordKey, false)
}
