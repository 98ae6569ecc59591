/** The operator's own wallet record at the panel, and the tasks for merchants in the platform setup. Chapter 40 §2, §3. */
import { hash } from 'node:crypto'
import type { Wallet } from '#domain/mid.ts'
import type { WalletDomain, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { expectedFile } from '../../wallets/accounts/domain-plan.ts'
import { manualRegistrar, type Registrar, sandboxRegistrar } from '../../wallets/accounts/registrar.ts'
import { confirmVerified } from '../../wallets/setup/wallet-domains.ts'
import { savePlatform, savePlatformFile } from '../../wallets/setup/wallet-platform.ts'
import { completeTask, registerAtProvider } from '../../wallets/setup/wallet-registration.ts'
import { type PlatformTask, type TaskName, taskNames } from '../../wallets/setup/wallet-tasks.ts'
import type { WalletEntry } from '../../wallets/setup/wallets.ts'
import { invalid } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { readWallet, requireEntered, type WalletSaved, walletAudit, walletContext } from './wallets.ts'

export { type TaskName, taskNames }

/** Wallet B has no platform setup. */
export const walletAPlatformKey: WalletRecordKey = platformRecordKey('walletapay')

export async function readPlatformRecord(context: PanelContext) {
  const record = await readWallet(context, walletAPlatformKey)
  const file = record.view?.settings.associationFile ?? null
  return { ...record, fileSha256: file && hash('sha256', file) }
}

export async function savePlatformRecord(
  context: PanelContext,
  by: string,
  entry: Omit<WalletEntry, 'setup' | 'enabled'>,
): Promise<WalletSaved<number>> {
  const { value, notes } = requireEntered(await savePlatform(walletContext(context, by), entry))
  const fields = Object.keys(entry).filter((name) => name !== 'version')
  return { value: value.version, notes, audit: { ...platformAudit('wallet-platform.save'), after: { fields } } }
}

export async function giveFile(context: PanelContext, by: string, file: Buffer): Promise<AuditNote> {
  requireEntered(await savePlatformFile(walletContext(context, by), file))
  return { ...platformAudit('wallet-platform.upload-file'), after: { bytes: file.length } }
}

interface TaskResult {
  readonly tasks: readonly PlatformTask[]
  readonly audit: AuditNote
}

/** The operator has done the task. */
export async function markTaskDone(
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
  completion: { readonly task: TaskName; readonly merchantIdentifier?: string | undefined },
): Promise<TaskResult> {
  const { value } = requireEntered(await completeTask(walletContext(context, by), recordKey, completion))
  return { tasks: value, audit: { ...walletAudit('wallet.tick-task', recordKey), after: completion } }
}

/** The simulated provider knows only merchants of its own authority; those of the real one are registered by a person. */
export async function register(context: PanelContext, by: string, recordKey: WalletRecordKey): Promise<TaskResult> {
  const settings = await walletSettingsStore(context.pool).find(recordKey)
  const url = settings?.trustSource === 'sandbox authority' ? context.sandboxUrl : null
  const registrar: Registrar = url === null ? manualRegistrar : sandboxRegistrar(url)
  const { value } = requireEntered(await registerAtProvider(walletContext(context, by), registrar, recordKey))
  return { tasks: value, audit: walletAudit('wallet.register', recordKey) }
}

/** "Verified at the wallet provider": accepted only after a fresh check of ours. */
export async function confirmDomain(
  context: PanelContext,
  by: string,
  { merchantId, wallet }: { readonly merchantId: string; readonly wallet: Wallet },
  host: string,
): Promise<AuditNote> {
  const operators = (await walletSettingsStore(context.pool).find(platformRecordKey(wallet)))?.associationFile ?? null
  const check = async (domain: WalletDomain) => {
    const expected = expectedFile(domain, operators)
    if (expected === null) throw invalid('domain', 'There is no file to check yet. Upload it first.')
    return context.checkDomain(host, expected)
  }
  const { value } = requireEntered(
    await confirmVerified(walletContext(context, by), { merchantId, wallet }, host, check),
  )
  const after = { host, state: value.state }
  return { action: 'wallet.confirm-domain', subject: `wallet ${wallet}`, merchantId, after }
}

export const platformAudit = (action: string) => ({ action, subject: 'wallet platform', merchantId: null })
