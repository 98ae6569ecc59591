/** Enters keys and certificates of a wallet, and moves them through their rotation. Chapter 40 §4 and §5. */
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import type { KeyRole, WalletKeyRecord, WalletRecordKey, WalletSettings } from '../../contracts/wallet-records.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { keyField } from '../accounts/opened-keys.ts'
import { note, promoteKey, retireKey, withRecordLocked } from '../accounts/rotation.ts'
import { activeKeys } from '../accounts/state.ts'
import { certificateRequest, generateWalletKey, oneLineOf } from '../tokens/certificate-request.ts'
import type { WalletKey } from '../tokens/processing-key.ts'
import { acceptEntry, blank, type EntryResult, refuseEntry, type WalletSetupContext } from './context.ts'
import { type PairEntry, pairedCertificate, privateField, readPair } from './wallet-pair.ts'

/** Adds a key as `next`, or as `current` if it is the first of its role. */
export function addKey(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  role: KeyRole,
  entry: PairEntry,
): Promise<EntryResult<WalletKeyRecord>> {
  return withRecordLocked(context, recordKey, async (client) => {
    const settings = await walletSettingsStore(client).find(recordKey)
    if (settings === null) return refuseEntry(noSettings)
    const keys = await walletKeyStore(client).list(recordKey)
    const pair = readPair({ settings, role, entry, keys, now: context.clock.now() })
    if (!pair.ok) return pair
    const added = await insertKey(context, client, { settings, keys }, { role, ...pair.value, request: null })
    return added.ok ? acceptEntry(added.value, pair.notes) : added
  })
}

/** Generates a key pair. The request goes to the wallet provider's portal; the certificate is entered with `addCertificate`. */
export function generateKey(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  role: KeyRole,
  type: WalletKey['type'],
): Promise<EntryResult<WalletKeyRecord>> {
  return withRecordLocked(context, recordKey, async (client) => {
    const settings = await walletSettingsStore(client).find(recordKey)
    if (settings === null) return refuseEntry(noSettings)
    const { merchantIdentifier } = settings.fields
    if (settings.wallet === 'walletapay' && merchantIdentifier === undefined)
      return refuseEntry({ field: 'merchant_identifier', text: blank })
    const key = generateWalletKey(type, keyField(recordKey.wallet, role))
    // Wallet B takes the bare public key, so there is nothing to request.
    const request = settings.wallet === 'walletapay' ? certificateRequest(key, merchantIdentifier ?? '') : null
    const keys = await walletKeyStore(client).list(recordKey)
    return insertKey(context, client, { settings, keys }, { role, key, certificate: null, request })
  })
}

/** Adds a certificate to the active key that it belongs to. */
export function addCertificate(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  role: KeyRole,
  text: string,
): Promise<EntryResult<WalletKeyRecord>> {
  return withRecordLocked(context, recordKey, async (client) => {
    const settings = await walletSettingsStore(client).find(recordKey)
    if (settings === null) return refuseEntry(noSettings)
    const keys = await walletKeyStore(client).list(recordKey)
    const pair = pairedCertificate({ settings, role, text, keys, now: context.clock.now() })
    if (!pair.ok) return pair
    const { record, certificate } = pair.value
    const after = { ...record, certificate: certificate.pem, certificateUntil: certificate.until }
    await walletKeyStore(client).change(after)
    await note(context, client, recordKey, {
      byUser: context.byUser,
      what: `The ${role} certificate was entered.`,
      details: { fingerprint: record.fingerprint, expires: certificate.until.toISOString() },
    })
    return acceptEntry(after)
  })
}

/** A promotion by a person. The old processing key continues for `retireAfterMs`, from an hour to 60 days. */
export async function promote(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  fingerprint: string,
  retireAfterMs: number = limits.wallet.retiringMs,
): Promise<EntryResult<WalletKeyRecord>> {
  if (retireAfterMs < limits.wallet.retiringMsLow || retireAfterMs > limits.wallet.retiringMsHigh)
    return refuseEntry({ field: 'retire_after', text: 'Enter a time from 1 hour to 60 days.' })
  const key = await findKeyByStart(context, recordKey, fingerprint)
  if (key?.role === 'identity' && key.certificate === null) return refuseEntry({ field: 'certificate', text: blank })
  const promoted =
    key && (await promoteKey(context, recordKey, key.fingerprint, { byUser: context.byUser, retireAfterMs }))
  return promoted ? acceptEntry(promoted) : refuseEntry({ field: 'key', text: 'Only a next key can be promoted.' })
}

export async function retire(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
  fingerprint: string,
): Promise<EntryResult<WalletKeyRecord>> {
  const key = await findKeyByStart(context, recordKey, fingerprint)
  if (!key || key.state === 'retired') return refuseEntry({ field: 'key', text: 'Active key not found.' })
  const keys = await walletKeyStore(context.pool).list(recordKey)
  const awaited = keys.some(({ role, state }) => role === key.role && state === 'next')
  if (key.state === 'current' && awaited)
    return refuseEntry({ field: 'key', text: 'Promote the next key first, or retire the next key.' })
  const retired = await retireKey(context, recordKey, key.fingerprint, context.byUser)
  return retired ? acceptEntry(retired) : refuseEntry({ field: 'key', text: 'Active key not found.' })
}

/** The key whose fingerprint begins with `start`, if it is unique. */
async function findKeyByStart(
  { pool }: WalletSetupContext,
  recordKey: WalletRecordKey,
  start: string,
): Promise<WalletKeyRecord | null> {
  const keys = await walletKeyStore(pool).list(recordKey)
  const found = keys.filter(
    ({ fingerprint, state }) => fingerprint.startsWith(start.toLowerCase()) && state !== 'retired',
  )
  return start.length >= 8 && found.length === 1 ? (found[0] ?? null) : null
}

export const noSettings = { field: 'wallet', text: 'Set up the wallet first.' }

export interface WalletWithKeys {
  readonly settings: WalletSettings
  readonly keys: readonly WalletKeyRecord[]
}

interface NewKey {
  readonly role: KeyRole
  readonly key: WalletKey
  readonly certificate: { readonly pem: string; readonly until: Date } | null
  readonly request: string | null
}

/** The caller holds the lock on the record. Refuses if two keys of the role are already active. */
export async function insertKey(
  { vault, clock, ids, ...context }: WalletSetupContext,
  client: PoolClient,
  { settings: { merchantId, mode, wallet }, keys }: WalletWithKeys,
  { role, key, certificate, request }: NewKey,
): Promise<EntryResult<WalletKeyRecord>> {
  const now = clock.now()
  const active = activeKeys(keys, role, now)
  if (active.length >= limits.wallet.processingKeys)
    return refuseEntry({ field: privateField(wallet, role), text: 'Two keys are already active. Retire one first.' })
  const first = !active.some(({ state }) => state === 'current')
  const record: WalletKeyRecord = {
    merchantId,
    mode,
    wallet,
    id: ids.next(),
    role,
    state: first ? 'current' : 'next',
    type: key.type,
    privateSealed: await vault.seal(merchantId, 'wallet-key', secret(oneLineOf(key.privateKey))),
    spki: key.spki,
    fingerprint: key.fingerprint,
    publicKeyHash: key.publicKeyHash,
    request,
    certificate: certificate?.pem ?? null,
    certificateUntil: certificate?.until ?? null,
    until: null,
    addedAt: now,
    promotedAt: first ? now : null,
    retiredAt: null,
  }
  await walletKeyStore(client).add(record)
  await note({ clock, ids }, client, record, {
    byUser: context.byUser,
    what: `${role === 'identity' ? 'An' : 'A'} ${role} key was added as ${record.state}.`,
    details: { fingerprint: key.fingerprint, public_key_hash: key.publicKeyHash },
  })
  return acceptEntry(record)
}
