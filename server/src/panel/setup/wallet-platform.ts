/** The operator's own wallet record at the panel, and the tasks of the merchants that are served through it. Chapter 40 §2, §3. */
import { hash } from 'node:crypto'
import type { Wallet } from '#domain/mid.ts'
import type { WalletDomain, WalletPlace } from '../../contracts/wallet-records.ts'
import { platformPlace, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { expectedFile } from '../../wallets/accounts/domain-plan.ts'
import { manualRegistrar, type Registrar, sandboxRegistrar } from '../../wallets/accounts/registrar.ts'
import { verifiedAtMaker } from '../../wallets/setup/wallet-domains.ts'
import { savePlatform, savePlatformFile } from '../../wallets/setup/wallet-platform.ts'
import { registerAtMaker, tickTask } from '../../wallets/setup/wallet-registration.ts'
import { type PlatformTask, type TaskName, taskNames } from '../../wallets/setup/wallet-tasks.ts'
import type { WalletEntry } from '../../wallets/setup/wallets.ts'
import { invalid } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Panel } from '../panel.ts'
import { about, deskOf, entered, type Saved, walletOf } from './wallets.ts'

export { type TaskName, taskNames }

/** Wallet B has no platform setup. */
export const ownPlace: WalletPlace = platformPlace('walletapay')

export async function platformRecord(panel: Panel) {
  const record = await walletOf(panel, ownPlace)
  const file = record.view?.settings.associationFile ?? null
  return { ...record, fileSha256: file && hash('sha256', file) }
}

export async function savePlatformRecord(
  panel: Panel,
  by: string,
  entry: Omit<WalletEntry, 'setup' | 'enabled'>,
): Promise<Saved<number>> {
  const { value, notes } = entered(await savePlatform(deskOf(panel, by), entry))
  const fields = Object.keys(entry).filter((name) => name !== 'version')
  return { value: value.version, notes, audit: { ...noted('wallet-platform.save'), after: { fields } } }
}

export async function giveFile(panel: Panel, by: string, file: Buffer): Promise<AuditNote> {
  entered(await savePlatformFile(deskOf(panel, by), file))
  return { ...noted('wallet-platform.upload-file'), after: { bytes: file.length } }
}

interface Worked {
  readonly tasks: readonly PlatformTask[]
  readonly audit: AuditNote
}

/** The operator did it himself. */
export async function tick(
  panel: Panel,
  by: string,
  place: WalletPlace,
  given: { readonly task: TaskName; readonly merchantIdentifier?: string | undefined },
): Promise<Worked> {
  const { value } = entered(await tickTask(deskOf(panel, by), place, given))
  return { tasks: value, audit: { ...about('wallet.tick-task', place), after: given } }
}

/** The simulated maker knows the merchants of its own authority alone; those of the real one are registered by a person. */
export async function register(panel: Panel, by: string, place: WalletPlace): Promise<Worked> {
  const settings = await walletSettingsStore(panel.pool).find(place)
  const url = settings?.trustSource === 'sandbox authority' ? panel.sandboxUrl : null
  const registrar: Registrar = url === null ? manualRegistrar : sandboxRegistrar(url)
  const { value } = entered(await registerAtMaker(deskOf(panel, by), registrar, place))
  return { tasks: value, audit: about('wallet.register', place) }
}

/** "Verified at the maker": believed only after a fresh check of ours. */
export async function confirmDomain(
  panel: Panel,
  by: string,
  { merchantId, wallet }: { readonly merchantId: string; readonly wallet: Wallet },
  host: string,
): Promise<AuditNote> {
  const operators = (await walletSettingsStore(panel.pool).find(platformPlace(wallet)))?.associationFile ?? null
  const check = async (domain: WalletDomain) => {
    const expected = expectedFile(domain, operators)
    if (expected === null) throw invalid('domain', 'There is no file to check yet. Upload it first.')
    return panel.checkDomain(host, expected)
  }
  const { value } = entered(await verifiedAtMaker(deskOf(panel, by), merchantId, wallet, host, check))
  const after = { host, state: value.state }
  return { action: 'wallet.confirm-domain', subject: `wallet ${wallet}`, merchantId, after }
}

export const noted = (action: string) => ({ action, subject: 'wallet platform', merchantId: null })
