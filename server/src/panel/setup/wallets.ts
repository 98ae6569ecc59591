/** The Wallets tab: the operations of chapter 40 with the panel's refusals and the audit log. */
import type { Wallet } from '#domain/mid.ts'
import { capabilitiesOf, connectorById } from '../../connectors/registry.ts'
import type { KeyRole, WalletChange, WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { type RefusedToken, type RefusedTokenSearch, refusedTokenStore } from '../../store/wallets/refused-tokens.ts'
import { walletHistoryStore } from '../../store/wallets/wallet-history.ts'
import type { PageQuestion } from '../../wallets/accounts/explanation.ts'
import type { EntryResult, WalletSetupContext } from '../../wallets/setup/context.ts'
import { enableForTesting, SandboxUnavailable, WalletNotEnabled } from '../../wallets/setup/enable-wallet.ts'
import { checkWallet, type WalletFinding } from '../../wallets/setup/wallet-check.ts'
import {
  addDomains,
  type DomainDefaults,
  type LineResult,
  removeDomain,
  uploadFile,
  type WalletOwner,
} from '../../wallets/setup/wallet-domains.ts'
import { explainWallet, type WalletExplanation } from '../../wallets/setup/wallet-explanation.ts'
import { addCertificate, addKey, generateKey, promote, retire } from '../../wallets/setup/wallet-keys.ts'
import { listPlatformTasks, type PlatformTask } from '../../wallets/setup/wallet-tasks.ts'
import { shownKey, viewWallet } from '../../wallets/setup/wallet-view.ts'
import { examineWallet, saveWallet, type WalletEntry } from '../../wallets/setup/wallets.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, type FieldFault } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from '../reports/dashboard.ts'

export async function readWallet(context: PanelContext, recordKey: WalletRecordKey) {
  const now = context.clock.now()
  const [view, tasks, history] = await Promise.all([
    viewWallet(context.pool, recordKey, now),
    listPlatformTasks(context.pool, recordKey, now),
    readHistory(context, recordKey),
  ])
  return { view, tasks: tasks ?? ([] satisfies readonly PlatformTask[]), history, now }
}

const readHistory = async (
  { pool }: PanelContext,
  { merchantId, mode, wallet }: WalletRecordKey,
): Promise<readonly WalletChange[]> =>
  (await walletHistoryStore(pool).list(merchantId, wallet)).filter(
    (change) => change.mode === null || change.mode === mode,
  )

export const listRefusedTokens = (
  { pool, ids }: PanelContext,
  search: RefusedTokenSearch & { readonly merchantId: string },
): Promise<readonly RefusedToken[]> => refusedTokenStore(pool, ids).find(search)

/** Tokens of the caller's merchants. */
export const listRefusedTokensFor = (
  { pool, ids }: PanelContext,
  grant: Grant,
  { merchantId, ...search }: Omit<RefusedTokenSearch, 'merchantIds'>,
): Promise<readonly RefusedToken[]> =>
  refusedTokenStore(pool, ids).find({ ...search, merchantIds: scopeOf(grant, merchantId ?? null) })

export const checkNow = (
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
): Promise<readonly WalletFinding[]> => checkWallet(walletContext(context, by), recordKey)

/** Why the button is missing on a page, and why tokens cannot be decrypted. Chapter 40 §7. */
export const explain = (
  context: PanelContext,
  recordKey: WalletRecordKey,
  page: PageQuestion,
): Promise<WalletExplanation> =>
  explainWallet(context, recordKey, page, (id) => {
    const connector = connectorById(id)
    return connector === undefined ? null : capabilitiesOf(connector)
  })

export interface WalletSaved<T> {
  readonly value: T
  /** Remarks for the user, although the entry is valid. */
  readonly notes: readonly string[]
  readonly audit: AuditNote
}

export async function save(
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
  entry: WalletEntry,
): Promise<WalletSaved<number>> {
  const { value, notes } = requireEntered(await saveWallet(walletContext(context, by), recordKey, entry))
  const fields = Object.keys(entry).filter((name) => name !== 'version')
  const after = { fields, enabled: value.enabled, setup: value.setup }
  return { value: value.version, notes, audit: { ...walletAudit('wallet.save', recordKey), after } }
}

/** What a key pair or certificate being entered would become if it is valid. */
interface ExaminedKey {
  readonly role: KeyRole
  readonly fingerprint: string
  readonly certificateUntil: Date | null
}

interface WalletExamination {
  readonly faults: readonly FieldFault[]
  readonly notes: readonly string[]
  readonly keys: readonly ExaminedKey[]
}

/** Returns what saving would return, and writes nothing: for a form that is still being filled in. */
export async function examine(
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
  entry: WalletEntry,
): Promise<WalletExamination> {
  const { faults, notes, pairs } = await examineWallet(walletContext(context, by), recordKey, entry)
  const added = pairs.added.map(({ role, pair }) => ({
    role,
    fingerprint: pair.key.fingerprint,
    certificateUntil: pair.certificate?.until ?? null,
  }))
  const certified = pairs.certified.map(({ role, fingerprint, certificateUntil }) => ({
    role,
    fingerprint,
    certificateUntil,
  }))
  return { faults: faults.map(withPanelName), notes, keys: [...added, ...certified] }
}

/** Sandbox only: creates settings, keys and certificates of the sandbox authority. */
export async function enableInSandbox(
  context: PanelContext,
  recordKey: WalletRecordKey,
  decrypts: boolean,
): Promise<AuditNote> {
  const { sandboxUrl, configuration, instanceMode } = context
  const merchant = configuration.merchant(recordKey.merchantId)
  if (instanceMode !== 'sandbox' || sandboxUrl === null || merchant === null)
    throw new AdminRefused('refused', { message: 'A wallet can be set up for testing only on a sandbox instance.' })
  const { name, title } = merchant
  try {
    await enableForTesting(context, { ...recordKey, name, title, decrypts }, sandboxUrl)
  } catch (error) {
    throw notEnabled(error)
  }
  return { ...walletAudit('wallet.enable-for-testing', recordKey), after: { decrypts } }
}

function notEnabled(error: unknown): unknown {
  if (error instanceof SandboxUnavailable)
    return new AdminRefused('refused', {
      message: `The sandbox issued no certificate: ${error.message}. ${error.remedy}`,
    })
  if (error instanceof WalletNotEnabled)
    return new AdminRefused('refused', { message: `The wallet cannot be set up for testing: ${error.message}` })
  return error
}

export type KeyEntry =
  | { readonly kind: 'generate'; readonly type: 'EC' | 'RSA' }
  | { readonly kind: 'key'; readonly privateKey: string; readonly certificate: string | undefined }
  | { readonly kind: 'certificate'; readonly certificate: string }

/** Generates a key, takes a pasted one, or adds a certificate to its key. */
export async function enterKey(
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
  { role, entry }: { readonly role: KeyRole; readonly entry: KeyEntry },
): Promise<WalletSaved<ReturnType<typeof shownKey>>> {
  const setup = walletContext(context, by)
  const enter = (): Promise<EntryResult<WalletKeyRecord>> => {
    switch (entry.kind) {
      case 'generate':
        return generateKey(setup, recordKey, role, entry.type)
      case 'key':
        return addKey(setup, recordKey, role, { privateKey: entry.privateKey, certificate: entry.certificate })
      case 'certificate':
        return addCertificate(setup, recordKey, role, entry.certificate)
    }
  }
  return savedKey('wallet.enter-key', recordKey, await enter())
}

export async function rotateKey(
  context: PanelContext,
  by: string,
  recordKey: WalletRecordKey,
  { fingerprint, retireAfterMs }: { readonly fingerprint: string; readonly retireAfterMs: number | undefined },
): Promise<WalletSaved<ReturnType<typeof shownKey>>> {
  return savedKey(
    'wallet.promote-key',
    recordKey,
    await promote(walletContext(context, by), recordKey, fingerprint, retireAfterMs),
  )
}

export async function retireKey(context: PanelContext, by: string, recordKey: WalletRecordKey, fingerprint: string) {
  return savedKey('wallet.retire-key', recordKey, await retire(walletContext(context, by), recordKey, fingerprint))
}

/** One domain per line; valid lines are stored, and every line gets its result. */
export async function enterDomains(
  context: PanelContext,
  by: string,
  { merchantId, wallet }: WalletOwner,
  { text, defaults }: { readonly text: string; readonly defaults: DomainDefaults },
): Promise<{ readonly lines: readonly LineResult[]; readonly audit: AuditNote }> {
  const lines = await addDomains(walletContext(context, by), { merchantId, wallet }, text, defaults)
  const added = lines.filter(({ result }) => result === 'added').map(({ line }) => line)
  return { lines, audit: { ...walletDomainAudit('wallet.add-domains', merchantId, wallet), after: { added } } }
}

export async function dropDomain(
  context: PanelContext,
  by: string,
  { merchantId, wallet }: WalletOwner,
  host: string,
): Promise<AuditNote> {
  requireEntered(await removeDomain(walletContext(context, by), { merchantId, wallet }, host))
  return { ...walletDomainAudit('wallet.remove-domain', merchantId, wallet), before: { host } }
}

export async function giveDomainFile(
  context: PanelContext,
  by: string,
  { merchantId, wallet }: WalletOwner,
  { host, file }: { readonly host: string; readonly file: Buffer },
): Promise<AuditNote> {
  const { value } = requireEntered(await uploadFile(walletContext(context, by), { merchantId, wallet }, host, file))
  return { ...walletDomainAudit('wallet.upload-file', merchantId, wallet), after: { host, sha256: value.fileSha256 } }
}

export const walletContext = (context: PanelContext, byUser: string): WalletSetupContext => ({
  ...context,
  trustSource: context.walletTrust,
  byUser,
})

function savedKey(action: string, recordKey: WalletRecordKey, entry: EntryResult<WalletKeyRecord>) {
  const { value, notes } = requireEntered(entry)
  return { value: shownKey(value), notes, audit: keyNote(action, recordKey, value) }
}

export const keyNote = (
  action: string,
  recordKey: WalletRecordKey,
  { id, role, state, fingerprint }: WalletKeyRecord,
): AuditNote => ({ ...walletAudit(action, recordKey), after: { id, role, state, fingerprint } })

export function requireEntered<T>(entry: EntryResult<T>): { readonly value: T; readonly notes: readonly string[] } {
  if (entry.ok) return entry
  throw new AdminRefused('invalid', { fields: entry.faults.map(withPanelName) })
}

/** Faults name fields as the interface does; the panel's names are the same in camel case. */
const withPanelName = ({ field, text }: FieldFault): FieldFault => ({
  field: ownNames[field] ?? field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  text,
})

const ownNames: Readonly<Record<string, string>> = { allowed_auth_method: 'authMethods' }

export const walletAudit = (action: string, { merchantId, mode, wallet }: WalletRecordKey) => ({
  action,
  subject: `wallet ${mode} ${wallet}`,
  merchantId,
})

export const walletDomainAudit = (action: string, merchantId: string, wallet: Wallet) => ({
  action,
  subject: `wallet ${wallet}`,
  merchantId,
})
