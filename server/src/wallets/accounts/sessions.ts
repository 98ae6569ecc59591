/** Merchant sessions for pages: which record requests one, with which key pair, at which address. Chapter 40 §16. */
import { usualName } from '#domain/address/loopback.ts'
import type { Clock, Log, WalletSessions } from '../../contracts/ports.ts'
import type { WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { WalletConfig } from '../../process/config.ts'
import type { Queryable } from '../../store/database/pool.ts'
import type { Vault } from '../../vault/port.ts'
import { askForSession, type SessionQuestion } from '../tokens/merchant-session.ts'
import type { WalletAnchors } from './anchors.ts'
import { readWalletState } from './facts.ts'
import { openPrivateKey } from './opened-keys.ts'
import { activeKeys, ownerOf, showsButton, takesPayments, type WalletStateData, walletState } from './state.ts'

export interface SessionOptions {
  readonly pool: Queryable
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly anchors: WalletAnchors
  readonly config: Pick<WalletConfig, 'sessionUrl' | 'sessionHosts'>
}

export function walletSessions(options: SessionOptions): WalletSessions {
  const { pool, clock, log } = options
  return {
    open: async ({ merchantId, mode, domain, validationUrl }) => {
      const facts = await readWalletState(pool, { merchantId, mode, wallet: 'walletapay' }, clock.now())
      if (facts === null || !takesPayments(walletState(facts).state)) return { ok: false, because: 'not usable' }
      // A domain that currently fails its check still shows the button, so it gets sessions too (chapter 40 §8).
      if (!facts.domains.some((entry) => [domain, usualName(domain)].includes(entry.domain) && showsButton(entry)))
        return { ok: false, because: 'domain' }
      const pair = servingPair(facts)
      if (pair === null) return { ok: false, because: 'not usable' }
      const question = await prepareRequest(options, facts, pair, { domain, validationUrl })
      const reply = question && (await askForSession(question))
      if (reply?.ok) return { ok: true, session: reply.session }
      log.warn(
        { merchantId, side: mode, fault: reply?.fault ?? 'no address' },
        'A wallet session could not be created.',
      )
      return { ok: false, because: 'not available' }
    },
  }
}

/**
 * Requests one session with the record's own pair, to see whether the wallet provider answers. Null if a session was issued, undefined if
 * there is nothing to ask with: no own key pair, or no domain.
 */
export async function probeSession(
  options: SessionOptions,
  recordKey: WalletRecordKey,
  checkoutDomain: string | null,
): Promise<string | null | undefined> {
  const facts = await readWalletState(options.pool, recordKey, options.clock.now())
  if (facts === null || !isOwner(facts)) return undefined
  const pair = servingPair(facts)
  const domain = facts.domains.find(showsButton)?.domain ?? checkoutDomain
  if (pair === null || domain === null || !facts.settings.enabled) return undefined
  const question = await prepareRequest(options, facts, pair, { domain, validationUrl: null })
  if (question === null) return 'no address is known'
  const reply = await askForSession(question)
  return reply.ok ? null : reply.fault
}

const isOwner = (facts: WalletStateData): boolean => ownerOf(facts)?.merchantId === facts.settings.merchantId

/** The identity pair in use, with its certificate; null without one. */
function servingPair({ keys, now }: WalletStateData): WalletKeyRecord | null {
  const current = activeKeys(keys, 'identity', now).find(({ state }) => state === 'current')
  return current?.certificate != null ? current : null
}

/** Null if the private part is gone, or no session service is known. */
async function prepareRequest(
  { vault, anchors, config }: Pick<SessionOptions, 'vault' | 'anchors' | 'config'>,
  facts: WalletStateData,
  pair: WalletKeyRecord,
  { domain, validationUrl }: { readonly domain: string; readonly validationUrl: string | null },
): Promise<SessionQuestion | null> {
  const owner = ownerOf(facts)
  const key = await openPrivateKey(vault, pair)
  const address = await findAddress(anchors, config, facts, validationUrl)
  if (owner === null || key === null || address === null || pair.certificate === null) return null
  return {
    ...address,
    certificatePem: pair.certificate,
    privateKey: key.privateKey,
    merchantIdentifier: owner.fields.merchantIdentifier ?? '',
    displayName: facts.settings.fields.shopName ?? '',
    domain,
  }
}

async function findAddress(
  anchors: WalletAnchors,
  { sessionUrl, sessionHosts }: SessionOptions['config'],
  { settings, platform }: WalletStateData,
  validationUrl: string | null,
): Promise<Pick<SessionQuestion, 'url' | 'caPem'> | null> {
  if (settings.trustSource === 'sandbox authority') return anchors.readSandboxSession()
  const named = validationUrl === null ? null : URL.parse(validationUrl)
  const allowed = named?.protocol === 'https:' && sessionHosts.has(named.hostname) ? validationUrl : null
  return { url: allowed ?? platform?.fields.sessionUrl ?? sessionUrl, caPem: null }
}
