/** The operator's own record, which serves platform merchants. Chapter 40 §3, "Operator-wide record". */
import { createHash } from 'node:crypto'
import { limits } from '#domain/limits.ts'
import type { Wallet } from '#domain/mid.ts'
import type { WalletSettings } from '../../contracts/wallet-records.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { note } from '../accounts/rotation.ts'
import { acceptEntry, blank, type EntryResult, notValid, refuseEntry, type WalletSetupContext } from './context.ts'
import { noSettings } from './wallet-keys.ts'
import { saveWallet, type WalletEntry } from './wallets.ts'

const wallet: Wallet = 'walletapay'

/** Identifier, identity pair, processing keys and session address; wallet B has no platform setup. */
export const savePlatform = (
  context: WalletSetupContext,
  entry: Omit<WalletEntry, 'setup' | 'enabled'>,
): Promise<EntryResult<WalletSettings>> =>
  saveWallet(context, platformRecordKey(wallet), { ...entry, setup: 'platform', enabled: true })

/** The file of the service's own hosts. Domains of platform merchants are checked against it at once. */
export async function savePlatformFile(
  context: WalletSetupContext,
  file: Buffer,
): Promise<EntryResult<WalletSettings>> {
  if (file.length === 0) return refuseEntry({ field: 'file', text: blank })
  if (file.length > limits.wallet.fileBytes) return refuseEntry({ field: 'file', text: notValid })
  return inTransaction(context.pool, async (client) => {
    const store = walletSettingsStore(client)
    const before = await store.lock(platformRecordKey(wallet))
    if (before === null) return refuseEntry(noSettings)
    const now = context.clock.now()
    const after = { ...before, associationFile: file, updatedAt: now }
    await store.change(after)
    await walletDomainStore(client).recordPlatformFileChange(wallet, now)
    const sha256 = createHash('sha256').update(file).digest('hex')
    await note(context, client, before, {
      byUser: context.byUser,
      what: 'The association file was changed.',
      details: { sha256 },
    })
    return acceptEntry({ ...after, version: before.version + 1 })
  })
}
