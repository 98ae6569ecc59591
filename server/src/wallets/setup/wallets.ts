/**
 * Wallet settings of a merchant, entered as a whole: every fault is reported at once, and nothing is written unless all is valid. Chapter
 * 40 §3.
 */

import type {
  KeyRole,
  WalletKeyRecord,
  WalletRecordKey,
  WalletSettings,
  WalletSetup,
} from '../../contracts/wallet-records.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { walletWatchStore } from '../../store/wallets/wallet-watches.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import { note } from '../accounts/rotation.ts'
import { activeKeys } from '../accounts/state.ts'
import { entryFault } from '../tokens/entry-fault.ts'
import {
  acceptEntry,
  type EntryResult,
  type FieldFault,
  faultOf,
  notAChoice,
  refuseEntry,
  type WalletSetupContext,
} from './context.ts'
import { readCountries } from './wallet-countries.ts'
import { enterFields, type FieldEntry } from './wallet-fields.ts'
import { insertKey, type WalletWithKeys } from './wallet-keys.ts'
import { checkIdentifier, type Pair, pairedCertificate, privateField, readPair } from './wallet-pair.ts'

/** An absent member stays unchanged. Keys and certificates are text, as pasted. */
export interface WalletEntry extends FieldEntry {
  readonly setup?: WalletSetup
  readonly enabled?: boolean
  readonly trustSource?: WalletSettings['trustSource']
  /** The version that the user saw; if it has changed, the entry is refused. */
  readonly version?: number
  readonly certificate?: string
  /** The identity key of wallet A, or the decryption key of wallet B. */
  readonly privateKey?: string
  readonly processingPrivateKey?: string
  readonly processingCertificate?: string
}

export async function saveWallet(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  entry: WalletEntry,
): Promise<EntryResult<WalletSettings>> {
  const countries = await readCountries(context.pool, recordKey.wallet)
  const saved = await inTransaction(context.pool, async (client) => {
    const before = await walletSettingsStore(client).lock(recordKey)
    const keys = before ? await walletKeyStore(client).list(recordKey) : []
    const { settings, pairs, faults } = examineEntry(context, recordKey, entry, { before, keys, countries })
    if (faults.length > 0) return refuseEntry(...faults)
    const stale = await write(client, before, settings)
    if (stale) return refuseEntry(stale)
    const full = await writePairs(context, client, { settings, keys }, pairs)
    if (full) throw new EntryRefused(full)
    await note(context, client, recordKey, {
      byUser: context.byUser,
      what: before ? 'Settings were changed.' : 'Settings were created.',
      details: { fields: Object.keys(entry).filter((name) => name !== 'version'), enabled: settings.enabled },
    })
    const written = before ? { ...settings, version: settings.version + 1 } : settings
    return acceptEntry(written, pairs.notes)
  }).catch((error: unknown) => {
    if (error instanceof EntryRefused) return refuseEntry(...error.faults)
    throw error
  })
  if (saved.ok) await scheduleCheck(context, recordKey)
  return saved
}

/** The faults and remarks that saving would return, by the same rules; nothing is written. */
export async function examineWallet(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  entry: WalletEntry,
): Promise<{
  readonly faults: readonly FieldFault[]
  readonly notes: readonly string[]
  readonly pairs: EnteredPairs
}> {
  const countries = await readCountries(context.pool, recordKey.wallet)
  const before = await walletSettingsStore(context.pool).find(recordKey)
  const keys = before ? await walletKeyStore(context.pool).list(recordKey) : []
  const { pairs, faults } = examineEntry(context, recordKey, entry, { before, keys, countries })
  return { faults, notes: pairs.notes, pairs }
}

interface WalletRecord {
  readonly before: WalletSettings | null
  readonly keys: readonly WalletKeyRecord[]
  readonly countries: ReadonlySet<string>
}

function examineEntry(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  entry: WalletEntry,
  { before, keys, countries }: WalletRecord,
) {
  const { settings, faults } = enterSettings(context, before ?? emptySettings(context, recordKey), entry, countries)
  const pairs = enterPairs(settings, keys, entry, context.clock.now())
  const all = [...faults, ...pairs.faults, ...changedIdentifier(settings, before, keys, context.clock.now())]
  return { settings, pairs, faults: all }
}

/** The state of every platform merchant depends on the operator's record. */
async function scheduleCheck({ pool, clock }: WalletSetupContext, recordKey: WalletRecordKey): Promise<void> {
  const watches = walletWatchStore(pool)
  if (recordKey.merchantId === PLATFORM_SCOPE) await watches.checkAll(clock.now())
  else await watches.checkSoon(recordKey, clock.now())
}

/** Thrown to roll back what the transaction has written. */
class EntryRefused extends Error {
  readonly faults: readonly FieldFault[]

  constructor(faults: readonly FieldFault[]) {
    super(faults.map(({ text }) => text).join(' '))
    this.faults = faults
  }
}

const emptySettings = ({ clock, trustSource }: WalletSetupContext, recordKey: WalletRecordKey): WalletSettings => ({
  ...recordKey,
  setup: recordKey.merchantId === PLATFORM_SCOPE ? 'platform' : 'own_account',
  enabled: false,
  trustSource,
  fields: {},
  associationFile: null,
  version: 1,
  createdAt: clock.now(),
  updatedAt: clock.now(),
})

function enterSettings(
  { instanceMode, clock }: WalletSetupContext,
  before: WalletSettings,
  entry: WalletEntry,
  countries: ReadonlySet<string>,
): { readonly settings: WalletSettings; readonly faults: readonly FieldFault[] } {
  const { setup = before.setup, enabled = before.enabled, trustSource = before.trustSource, version } = entry
  const isPlatform = before.merchantId === PLATFORM_SCOPE
  const scene = { wallet: before.wallet, mode: before.mode, setup, isPlatform, countries }
  const { fields, faults } = enterFields(before.fields, entry, scene)
  const settings = { ...before, setup, enabled, trustSource, fields, updatedAt: clock.now() }
  return {
    settings,
    faults: [
      ...(version !== undefined && version !== before.version ? [changedMeanwhile] : []),
      ...(before.wallet === 'walletbpay' && setup === 'platform' ? [{ field: 'setup', text: notAChoice }] : []),
      ...(instanceMode === 'live' && trustSource === 'sandbox authority'
        ? [{ field: 'trust_source', text: notAChoice }]
        : []),
      ...faults,
      ...(setup === 'platform' && !isPlatform ? unusedInPlatform(entry) : []),
    ],
  }
}

const changedMeanwhile: FieldFault = {
  field: 'version',
  text: 'Another user has changed the settings. Reload them and try again.',
}

/** Chapter 40 §2, through the platform, step 3: certificates from the merchant's own onboarding do not work there. */
function unusedInPlatform(entry: WalletEntry): readonly FieldFault[] {
  const text = 'Not used in the platform setup.'
  return keyFieldNames.flatMap(([name, field]) => (entry[name] === undefined ? [] : [{ field, text }]))
}

const keyFieldNames = [
  ['certificate', 'certificate'],
  ['privateKey', 'private_key'],
  ['processingPrivateKey', 'processing_private_key'],
  ['processingCertificate', 'processing_certificate'],
] as const

interface EnteredPairs {
  readonly added: readonly { readonly role: KeyRole; readonly pair: Pair }[]
  readonly certified: readonly WalletKeyRecord[]
  readonly faults: readonly FieldFault[]
  readonly notes: readonly string[]
}

function enterPairs(
  settings: WalletSettings,
  keys: readonly WalletKeyRecord[],
  entry: WalletEntry,
  now: Date,
): EnteredPairs {
  const added: { role: KeyRole; pair: Pair }[] = []
  const certified: WalletKeyRecord[] = []
  const faults: FieldFault[] = []
  const notes: string[] = []
  if (settings.setup === 'platform' && settings.merchantId !== PLATFORM_SCOPE)
    return { added, certified, faults, notes }
  for (const { role, privateKey, certificate } of entriesOf(settings, entry)) {
    if (privateKey !== undefined) {
      const read = readPair({ settings, role, entry: { privateKey, certificate }, keys, now })
      if (!read.ok) faults.push(...read.faults)
      else if (added.some(({ pair }) => pair.key.fingerprint === read.value.key.fingerprint))
        faults.push(faultOf(privateField(settings.wallet, role), entryFault('K12')))
      else {
        added.push({ role, pair: read.value })
        notes.push(...read.notes)
      }
    } else if (certificate !== undefined) {
      const read = pairedCertificate({ settings, role, text: certificate, keys, now })
      if (!read.ok) faults.push(...read.faults)
      else {
        const { record, certificate: text } = read.value
        certified.push({ ...record, certificate: text.pem, certificateUntil: text.until })
      }
    }
  }
  return { added, certified, faults, notes }
}

/** Wallet B has one kind of key, entered as Private Key. */
function entriesOf({ wallet }: WalletSettings, entry: WalletEntry) {
  const { certificate, privateKey, processingCertificate, processingPrivateKey } = entry
  if (wallet === 'walletbpay') return [{ role: 'processing', privateKey, certificate: undefined }] as const
  return [
    { role: 'identity', privateKey, certificate },
    { role: 'processing', privateKey: processingPrivateKey, certificate: processingCertificate },
  ] as const
}

/** A new Merchant Identifier must not leave certificates that name the old one. */
function changedIdentifier(
  { fields: { merchantIdentifier } }: WalletSettings,
  before: WalletSettings | null,
  keys: readonly WalletKeyRecord[],
  now: Date,
): readonly FieldFault[] {
  if (merchantIdentifier === undefined || merchantIdentifier === before?.fields.merchantIdentifier) return []
  return (['identity', 'processing'] as const)
    .flatMap((role) => activeKeys(keys, role, now))
    .map((key) => checkIdentifier(key, merchantIdentifier, now))
    .flatMap((checked) => (checked.ok ? [] : checked.faults))
}

async function write(
  client: PoolClient,
  before: WalletSettings | null,
  settings: WalletSettings,
): Promise<FieldFault | null> {
  const store = walletSettingsStore(client)
  return (await (before ? store.change(settings) : store.add(settings))) ? null : changedMeanwhile
}

async function writePairs(
  context: WalletSetupContext,
  client: PoolClient,
  stored: WalletWithKeys,
  { added, certified }: EnteredPairs,
): Promise<readonly FieldFault[] | null> {
  for (const { role, pair } of added) {
    const insertion = await insertKey(context, client, stored, { role, ...pair, request: null })
    if (!insertion.ok) return insertion.faults
  }
  for (const key of certified) await walletKeyStore(client).change(key)
  return null
}
