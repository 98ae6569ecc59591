/** Domains that show the button: entered in batches, each with a file if the merchant has its own account. Chapter 40 §8. */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { mayHaveHost } from '#domain/address/checkout-host.ts'
import { limits } from '#domain/limits.ts'
import type { Wallet } from '#domain/mid.ts'
import type { WalletDomain } from '../../contracts/wallet-records.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletDomainStore } from '../../store/wallets/wallet-domains.ts'
import { walletHistoryStore } from '../../store/wallets/wallet-history.ts'
import { platformRecordKey, walletSettingsStore } from '../../store/wallets/wallet-settings.ts'
import { afterCheck, type DomainFault } from '../accounts/domain-plan.ts'
import { acceptEntry, blank, type EntryResult, notValid, refuseEntry, type WalletSetupContext } from './context.ts'

/** Domains belong to a merchant's account of a wallet, in both modes. */
export interface WalletOwner {
  readonly merchantId: string
  readonly wallet: Wallet
}

export interface DomainDefaults {
  readonly purpose: WalletDomain['purpose']
  readonly controlledBy: WalletDomain['controlledBy']
}

export interface LineResult {
  readonly line: string
  readonly result: 'added' | 'already there' | 'invalid' | 'over the limit'
  /** The refusal in the interface's words; null if the domain is stored. */
  readonly text: string | null
}

const overTheLimit = `At most ${limits.wallet.domains} domains are allowed.`

/** One domain per line, optionally followed by purpose and controller, separated by commas. Valid lines are stored. */
export async function addDomains(
  context: WalletSetupContext,
  { merchantId, wallet }: WalletOwner,
  text: string,
  wishes: DomainDefaults,
): Promise<readonly LineResult[]> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return inTransaction(context.pool, async (client) => {
    const store = walletDomainStore(client)
    const name = await store.lockMerchant(merchantId)
    const there = new Set((await store.list(merchantId, wallet)).map(({ domain }) => domain))
    const ready = await isServingOperatorsFile(client, merchantId, wallet)
    const answers: LineResult[] = []
    for (const [index, line] of lines.entries()) {
      const entry = readLine(line, wishes, context.instanceMode)
      if (entry === null) answers.push({ line, result: 'invalid', text: notValid })
      else if (!mayHaveHost(name, entry.domain, context.checkoutDomain ?? null))
        answers.push({ line, result: 'invalid', text: ownedByAnother })
      else if (there.has(entry.domain)) answers.push({ line, result: 'already there', text: null })
      else if (there.size >= limits.wallet.domains || index >= limits.wallet.domains)
        answers.push({ line, result: 'over the limit', text: overTheLimit })
      else {
        there.add(entry.domain)
        await store.put(newDomain(context, { merchantId, wallet }, entry, ready))
        answers.push({ line, result: 'added', text: null })
      }
    }
    const added = answers.filter(({ result }) => result === 'added').map(({ line }) => line)
    if (added.length > 0)
      await noteDomains(context, client, { merchantId, wallet }, { what: 'Domains were added.', domains: added })
    return answers
  })
}

/** The wallet provider's file for an own-account merchant's domain, stored byte for byte. */
export async function uploadFile(
  context: WalletSetupContext,
  { merchantId, wallet }: WalletOwner,
  host: string,
  file: Buffer,
): Promise<EntryResult<WalletDomain>> {
  if (file.length === 0) return refuseEntry({ field: 'file', text: blank })
  if (file.length > limits.wallet.fileBytes) return refuseEntry({ field: 'file', text: notValid })
  return inTransaction(context.pool, async (client) => {
    const store = walletDomainStore(client)
    const name = await store.lockMerchant(merchantId)
    const entries = await store.listOfHost(host)
    const domain = entries.find((entry) => entry.merchantId === merchantId && entry.wallet === wallet)
    if (domain === undefined) return refuseEntry({ field: 'domain', text: notValid })
    const isTaken = entries.some((entry) => entry.file !== null && entry.merchantId !== merchantId)
    if (isTaken || !mayHaveHost(name, host, context.checkoutDomain ?? null))
      return refuseEntry({ field: 'domain', text: ownedByAnother })
    const fileSha256 = createHash('sha256').update(file).digest('hex')
    const state = domain.state === 'new' ? 'file ready' : domain.state
    const after: WalletDomain = { ...domain, file, fileSha256, state, nextCheck: context.clock.now() }
    await store.put(after)
    await noteDomains(
      context,
      client,
      { merchantId, wallet },
      { what: `A file of SHA-256 ${fileSha256} was uploaded.`, domains: [host] },
    )
    return acceptEntry(after)
  })
}

export async function removeDomain(
  context: WalletSetupContext,
  { merchantId, wallet }: WalletOwner,
  host: string,
): Promise<EntryResult<null>> {
  return inTransaction(context.pool, async (client) => {
    const store = walletDomainStore(client)
    const domain = await store.find(merchantId, wallet, host)
    if (domain === null) return refuseEntry({ field: 'domain', text: notValid })
    await store.put({ ...domain, state: 'removed', nextCheck: null })
    await noteDomains(context, client, { merchantId, wallet }, { what: 'A domain was removed.', domains: [host] })
    return acceptEntry(null)
  })
}

/** The button "verified at the wallet provider": accepted only after a fresh check of ours. */
export async function confirmVerified(
  context: WalletSetupContext,
  { merchantId, wallet }: WalletOwner,
  host: string,
  check: (domain: WalletDomain) => Promise<DomainFault | null>,
): Promise<EntryResult<WalletDomain>> {
  const store = walletDomainStore(context.pool)
  const domain = await store.find(merchantId, wallet, host)
  if (domain === null) return refuseEntry({ field: 'domain', text: notValid })
  const fault = await check(domain)
  const after = afterCheck(domain, fault, context.clock.now())
  await store.settle(after)
  if (fault !== null) return refuseEntry({ field: 'domain', text: `The check failed: ${fault}.` })
  const verified = { ...after, verifiedAtMaker: context.clock.now() }
  await store.put(verified)
  await inTransaction(context.pool, (client) =>
    noteDomains(
      context,
      client,
      { merchantId, wallet },
      { what: 'Verified with the wallet provider.', domains: [host] },
    ),
  )
  return acceptEntry(verified)
}

/** The normalised host name: lower-case ASCII with at least two labels; null for anything else. */
export function hostName(entered: string, instanceMode: WalletSetupContext['instanceMode']): string | null {
  const name = entered.trim().toLowerCase()
  // domainToASCII would accept a whole authority and drop what follows the host.
  if (/[\s/\\:?#@%*[\]]/.test(name)) return null
  const host = domainToASCII(name)
  if (instanceMode === 'sandbox' && host === 'localhost') return host
  const labels = host.split('.')
  const sound = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  if (!sound || labels.length < 2 || host.length > 253 || isIP(host) !== 0) return null
  // The last label must not be digits only: that would be an IP address in an unusual spelling.
  return /^[0-9]+$/.test(labels.at(-1) ?? '') ? null : host
}

const ownedByAnother = 'The domain belongs to another merchant.'

type DomainEntry = DomainDefaults & { readonly domain: string }

function readLine(
  line: string,
  wishes: DomainDefaults,
  instanceMode: WalletSetupContext['instanceMode'],
): DomainEntry | null {
  const [name = '', purpose = wishes.purpose, controlledBy = wishes.controlledBy, ...more] = line
    .split(',')
    .map((part) => part.trim())
  const domain = hostName(name, instanceMode)
  if (domain === null || more.length > 0) return null
  if (purpose !== 'production' && purpose !== 'test') return null
  if (controlledBy !== 'operator' && controlledBy !== 'merchant') return null
  return { domain, purpose, controlledBy }
}

function newDomain(
  { clock }: WalletSetupContext,
  { merchantId, wallet }: WalletOwner,
  entry: DomainEntry,
  ready: boolean,
): WalletDomain {
  const now = clock.now()
  // Exists only on a sandbox instance, and no server could serve its file, so it counts as verified.
  const local = entry.domain === 'localhost'
  return {
    ...entry,
    merchantId,
    wallet,
    state: local ? 'verified' : ready ? 'file ready' : 'new',
    file: null,
    fileSha256: null,
    lastCheck: null,
    lastFault: null,
    verifiedSince: local ? now : null,
    succeededAt: local ? now : null,
    verifiedAtMaker: null,
    addedAt: now,
    nextCheck: ready && !local ? now : null,
  }
}

/** A platform merchant's domains serve the operator's file as soon as it exists. */
async function isServingOperatorsFile(client: PoolClient, merchantId: string, wallet: Wallet): Promise<boolean> {
  const store = walletSettingsStore(client)
  const settingsByMode = await Promise.all([
    store.find({ merchantId, mode: 'live', wallet }),
    store.find({ merchantId, mode: 'test', wallet }),
  ])
  if (!settingsByMode.some((settings) => settings?.setup === 'platform')) return false
  return (await store.find(platformRecordKey(wallet)))?.associationFile != null
}

async function noteDomains(
  { clock, ids, byUser }: WalletSetupContext,
  client: PoolClient,
  { merchantId, wallet }: WalletOwner,
  { what, domains }: { readonly what: string; readonly domains: readonly string[] },
): Promise<void> {
  const change = { merchantId, mode: null, wallet, at: clock.now(), byUser, what, details: { domains } }
  await walletHistoryStore(client).add(change, ids)
}
