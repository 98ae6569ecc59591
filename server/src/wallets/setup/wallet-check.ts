/** "Check now": repeats every check made at entry, and compares recent tokens with the stored keys. Chapter 40 §4.2. */

import { limits } from '#domain/limits.ts'
import { utcDay } from '#domain/time.ts'
import type { WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import { listNewestTokens } from '../../store/wallets/recent-tokens.ts'
import { VaultError } from '../../vault/vault-error.ts'
import { readWalletState } from '../accounts/facts.ts'
import { openPrivateKey } from '../accounts/opened-keys.ts'
import { activeKeys, isPlatformRecord, ownerOf, type WalletStateData, walletState } from '../accounts/state.ts'
import { pairFault, readCertificateText } from '../tokens/certificate-pair.ts'
import type { CheckRow } from '../tokens/check-sheet.ts'
import { type FieldFault, faultOf, faultText, type WalletSetupContext } from './context.ts'
import { readCountries } from './wallet-countries.ts'
import { enterFields } from './wallet-fields.ts'
import { certificateField, privateField } from './wallet-pair.ts'

export interface WalletFinding {
  readonly level: 'problem' | 'warning'
  readonly text: string
}

export async function checkWallet(
  context: WalletSetupContext,
  recordKey: WalletRecordKey,
): Promise<readonly WalletFinding[]> {
  const facts = await readWalletState(context.pool, recordKey, context.clock.now())
  if (facts === null) return [{ level: 'problem', text: 'The wallet is not set up.' }]
  const { state, reasons } = walletState(facts)
  // A draft is unfinished, not broken: it has never accepted a payment.
  const level = state === 'lapsed' ? 'problem' : 'warning'
  const faults = [...(await listFieldFaults(context, facts)), ...(await listKeyFaults(context, facts))]
  return [
    ...reasons.map((text) => ({ level, text }) as const),
    ...faults.map((fault) => ({ level: 'problem', text: faultText(fault) }) as const),
    ...(await listUnknownKeyFindings(context, facts)),
  ]
}

async function listFieldFaults(
  { pool }: WalletSetupContext,
  { settings }: WalletStateData,
): Promise<readonly FieldFault[]> {
  const { wallet, mode, setup, fields } = settings
  const countries = await readCountries(pool, wallet)
  return enterFields({}, fields, { wallet, mode, setup, isPlatform: isPlatformRecord(settings), countries }).faults
}

async function listKeyFaults({ vault }: WalletSetupContext, facts: WalletStateData): Promise<readonly FieldFault[]> {
  const faults: FieldFault[] = []
  for (const key of allActiveKeys(facts)) {
    if (!(await isReadable(vault, key)))
      faults.push({
        field: privateField(key.wallet, key.role),
        text: `The key ${key.fingerprint} cannot be decrypted.`,
      })
    faults.push(...certificateFaults(facts, key))
  }
  return faults
}

const allActiveKeys = ({ keys, now }: WalletStateData): readonly WalletKeyRecord[] =>
  (['identity', 'processing'] as const).flatMap((role) => activeKeys(keys, role, now))

async function isReadable(vault: WalletSetupContext['vault'], record: WalletKeyRecord): Promise<boolean> {
  try {
    const key = await openPrivateKey(vault, record)
    return key?.fingerprint === record.fingerprint && key.publicKeyHash === record.publicKeyHash
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}

function certificateFaults(
  facts: WalletStateData,
  { certificate, role, spki }: WalletKeyRecord,
): readonly FieldFault[] {
  if (certificate === null) return []
  const reading = readCertificateText(certificate)
  const field = certificateField(role)
  if (!reading.ok) return [faultOf(field, reading.fault)]
  const merchantIdentifier = ownerOf(facts)?.fields.merchantIdentifier ?? ''
  const fault = pairFault({ certificate: reading.certificate, key: { spki }, role, merchantIdentifier, now: facts.now })
  return fault ? [faultOf(field, fault)] : []
}

/**
 * Compares the keys that the newest tokens were made for, accepted and refused, with the stored ones. A token of wallet B names no key, so
 * tokens that no key decrypts are counted. Tokens of the virtual flow are not decrypted and are ignored.
 */
async function listUnknownKeyFindings(
  { pool }: WalletSetupContext,
  facts: WalletStateData,
): Promise<readonly WalletFinding[]> {
  const rows = (await listNewestTokens(pool, facts.settings, limits.wallet.recentTokens))
    .flatMap(({ checks }) => checks)
    .filter(({ id, result }) => (id === 'A13' || id === 'B8') && (result === 'passed' || result === 'failed'))
  const named = rows.map(({ detail }) => /[0-9a-f]{64}/.exec(detail ?? '')?.[0] ?? null)
  const texts = [...new Set(named)].flatMap((name) => {
    const text = name === null ? undecryptedText(rows) : keyText(facts, name, name === named[0])
    const count = named.filter((one) => one === name).length
    return text === null ? [] : [`${count} of the last ${rows.length} tokens ${text}`]
  })
  return texts.map((text) => ({ level: 'warning', text }))
}

/** A check may fail for another reason than its key; then it names none. */
const undecryptedText = (rows: readonly CheckRow[]): string | null =>
  rows.some(({ id, result }) => id === 'B8' && result === 'failed') ? 'were encrypted with an unknown key.' : null

function keyText({ keys }: WalletStateData, name: string, isNewest: boolean): string | null {
  const key = keys.find(({ fingerprint }) => fingerprint === name)
  if (key === undefined) return `were encrypted with the unknown key ${name}.`
  if (key.state === 'retired') return `were encrypted with the retired key ${name}.`
  // Right after a promotion most tokens are for the old key. If the newest one still is, the new certificate was not activated at the
  // wallet provider.
  if (key.state !== 'retiring' || !isNewest) return null
  const until = key.until && utcDay(key.until)
  return `and the newest were made for the retiring key ${name}: activate the new certificate at the wallet provider before ${until}.`
}
