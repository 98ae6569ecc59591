/**
 * Trust anchors for wallet tokens, in memory: loaded at the start, reread when a list changes, fetched daily and when missing. A fetched
 * text replaces the present one only after it was loaded successfully. The last valid answer is stored in the database, for the next start
 * and for other processes. Chapter 40 §14.
 */
import { limits } from '#domain/limits.ts'
import type { Clock, Log } from '../../contracts/ports.ts'
import type { Pool } from '../../store/database/pool.ts'
import { walletTrustStore } from '../../store/wallets/wallet-trust.ts'
import {
  type InstanceMode,
  loadWalletATrust,
  loadWalletBTrust,
  TrustError,
  type TrustSource,
  type WalletATrust,
  type WalletBEnvironment,
  type WalletBTrust,
} from '../tokens/trust.ts'
import { type FetchText, sandboxTexts, type TrustName } from './trust-sources.ts'

export interface WalletAnchors {
  readWalletA(source: TrustSource): Promise<WalletATrust | null>
  readWalletB(source: TrustSource, environment: WalletBEnvironment): Promise<WalletBTrust | null>
  /** The sandbox authority's session service: its address, and the CA that identifies it. */
  readSandboxSession(): Promise<{ readonly url: string; readonly caPem: string } | null>
  /** Fetches everything that comes over the network. Returns a sentence for every source that failed. */
  refresh(): Promise<readonly string[]>
  /** Asks the source again because a token was signed by an unlisted key; at most once a minute. */
  askAgain(source: TrustSource): Promise<void>
  /** Another process has fetched something. */
  reread(): Promise<void>
}

export interface AnchorOptions {
  readonly instanceMode: InstanceMode
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** The wallet provider's root from the pinned file; null if none is configured. */
  readonly providerRoot: { readonly pem: string; readonly sha256: string } | null
  /** Fetches the wallet provider's key list of each environment; null if none is configured. */
  readonly providerKeys: Readonly<Record<WalletBEnvironment, FetchText | null>>
  /** Fetches from the sandbox authority; null on a live instance and if no sandbox is known. */
  readonly authority: FetchText | null
}

export async function loadAnchors(options: AnchorOptions): Promise<WalletAnchors> {
  const anchors = new Anchors(options)
  await anchors.reread()
  anchors.begin()
  return anchors
}

const sources: readonly TrustSource[] = ['wallet maker', 'sandbox authority']
const environments: readonly WalletBEnvironment[] = ['PRODUCTION', 'TEST']
/** No wallet provider's key known to this release has the sandbox mark by chance. */
const shippedFingerprints: ReadonlySet<string> = new Set()

class Anchors implements WalletAnchors {
  readonly #options: AnchorOptions
  readonly #texts = new Map<string, string>()
  readonly #loaded = new Map<string, { readonly text: string; readonly trust: WalletATrust | WalletBTrust | null }>()
  readonly #fetching = new Map<TrustSource, Promise<string | null>>()
  readonly #triedAt = new Map<TrustSource, number>()

  constructor(options: AnchorOptions) {
    this.#options = options
    if (options.providerRoot) this.#texts.set(key('wallet maker', 'root'), options.providerRoot.pem)
  }

  /** In the background: only the first token waits for it. */
  begin(): void {
    void this.refresh()
  }

  async readWalletA(source: TrustSource): Promise<WalletATrust | null> {
    const text = await this.#text(source, 'root')
    if (text === null) return null
    const sha256 = source === 'wallet maker' ? (this.#options.providerRoot?.sha256 ?? null) : null
    const load = () => loadWalletATrust({ instanceMode: this.#options.instanceMode, source, pem: text, sha256 })
    const trust = this.#once(source, 'root', text, load)
    return trust?.kind === 'root' ? trust : null
  }

  async readWalletB(source: TrustSource, environment: WalletBEnvironment): Promise<WalletBTrust | null> {
    const now = this.#options.clock.now()
    const held = await this.#keyList(source, environment)
    const usable = held?.keys.some(({ expiresAt }) => expiresAt === null || expiresAt > now) ?? false
    if (usable || !this.#mayTry(source)) return held
    // A list with expired keys only counts as missing.
    await this.#refreshSource(source)
    return this.#keyList(source, environment)
  }

  async readSandboxSession(): Promise<{ readonly url: string; readonly caPem: string } | null> {
    const text = await this.#text('sandbox authority', 'session')
    if (text === null) return null
    const [url = '', ...pem] = text.split('\n')
    return { url, caPem: pem.join('\n') }
  }

  async refresh(): Promise<readonly string[]> {
    const networkSources = sources.filter((source) => this.#fetches(source).length > 0)
    const faults = await Promise.all(networkSources.map((source) => this.#refreshSource(source)))
    return faults.filter((fault) => fault !== null)
  }

  async askAgain(source: TrustSource): Promise<void> {
    // Concurrent requests wait for the same fetch.
    if (this.#fetching.has(source) || this.#mayTry(source, limits.wallet.keyListAgainMs))
      await this.#refreshSource(source)
  }

  async reread(): Promise<void> {
    for (const { source, name, content } of await walletTrustStore(this.#options.pool).list())
      if (this.#isNamed(source, name)) this.#texts.set(`${source} ${name}`, content)
  }

  /** A fetched list is trusted only while the configuration names its source. */
  #isNamed(source: TrustSource, name: string): boolean {
    const { instanceMode, providerKeys } = this.#options
    if (source === 'sandbox authority') return instanceMode === 'sandbox'
    return environments.some((environment) => environment === name && providerKeys[environment] !== null)
  }

  async #keyList(source: TrustSource, environment: WalletBEnvironment): Promise<WalletBTrust | null> {
    const text = await this.#text(source, environment)
    if (text === null) return null
    const trust = this.#once(source, environment, text, () => this.#loadKeys(source, environment, text))
    return trust?.kind === 'key list' ? trust : null
  }

  #loadKeys(source: TrustSource, environment: WalletBEnvironment, json: string): WalletBTrust {
    return loadWalletBTrust({
      instanceMode: this.#options.instanceMode,
      source,
      environment,
      json,
      shippedFingerprints,
    })
  }

  /** Waits for a running fetch, because the present text may belong to an authority that no longer exists. */
  async #text(source: TrustSource, name: TrustName): Promise<string | null> {
    await this.#fetching.get(source)
    const held = this.#texts.get(key(source, name))
    if (held !== undefined) return held
    // A process that may not fetch now takes what another one has fetched meanwhile.
    if (this.#mayTry(source)) await this.#refreshSource(source)
    else if (this.#isNamed(source, name)) await this.reread()
    return this.#texts.get(key(source, name)) ?? null
  }

  #once<T extends WalletATrust | WalletBTrust>(source: TrustSource, name: TrustName, text: string, load: () => T) {
    const held = this.#loaded.get(key(source, name))
    if (held?.text === text) return held.trust
    const trust = this.#tried(source, name, load)
    this.#loaded.set(key(source, name), { text, trust })
    return trust
  }

  #tried<T>(source: TrustSource, name: TrustName, load: () => T): T | null {
    try {
      return load()
    } catch (error) {
      if (!(error instanceof TrustError)) throw error
      this.#options.log.error({ source, name, fault: error.message }, 'A trust anchor of a wallet cannot be used.')
      return null
    }
  }

  /** Null on success, otherwise the fault. One fetch per source at a time; concurrent callers share it. */
  #refreshSource(source: TrustSource): Promise<string | null> {
    const running = this.#fetching.get(source)
    if (running) return running
    this.#triedAt.set(source, performance.now())
    const fetching = this.#fetchSource(source).finally(() => this.#fetching.delete(source))
    this.#fetching.set(source, fetching)
    return fetching
  }

  async #fetchSource(source: TrustSource): Promise<string | null> {
    const { pool, clock, log } = this.#options
    try {
      for (const fetchTexts of this.#fetches(source)) {
        for (const [name, content] of await fetchTexts()) {
          if (name === 'PRODUCTION' || name === 'TEST') this.#loadKeys(source, name, content)
          this.#texts.set(key(source, name), content)
          await walletTrustStore(pool).put({ source, name, content, fetchedAt: clock.now() })
        }
      }
      return null
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!pool.ending)
        log.warn(
          { source, fault: reason },
          'The trust anchors of a wallet could not be fetched; the previous ones stay in use.',
        )
      return `The ${source} could not be asked for its keys: ${reason}`
    }
  }

  #fetches(source: TrustSource): readonly (() => Promise<readonly (readonly [TrustName, string])[]>)[] {
    const { authority, providerKeys } = this.#options
    if (source === 'sandbox authority') return authority === null ? [] : [async () => sandboxTexts(await authority())]
    return environments.flatMap((environment) => {
      const fetchKeys = providerKeys[environment]
      return fetchKeys === null ? [] : [async () => [[environment, await fetchKeys()] as const]]
    })
  }

  /** After a failure the network is left alone for a while, however many tokens arrive. */
  #mayTry(source: TrustSource, pauseMs: number = limits.wallet.keyListPauseMs): boolean {
    const since = performance.now() - (this.#triedAt.get(source) ?? Number.NEGATIVE_INFINITY)
    return this.#fetches(source).length > 0 && since >= pauseMs
  }
}

const key = (source: TrustSource, name: TrustName): string => `${source} ${name}`
