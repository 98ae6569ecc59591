import type { Clock } from '#server/contracts/ports.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { DataKey } from './envelope.ts'
import { extendChain, type KeyChain, loadChain } from './key-chain.ts'
import type { HeldRing } from './key-ring.ts'
import type { DataKeyRows } from './port.ts'
import { VaultError } from './vault-error.ts'

interface KeyChainsOptions {
  readonly keys: DataKeyRows
  readonly ring: HeldRing
  readonly clock: Clock
  /** After this time a scope's keys are read again, so that every process eventually seals with the newest version. */
  readonly refreshMs: number
  readonly maxScopes: number
}

/** The opened data keys of the most recently used scopes. */
export class KeyChains {
  readonly #options: KeyChainsOptions
  readonly #held: BoundedCache<string, CachedChain>

  constructor(options: KeyChainsOptions) {
    this.#options = options
    this.#held = new BoundedCache(options.maxScopes)
  }

  /** The newest key of the scope; creates the scope's first. */
  async loadSealingKey(scope: string): Promise<DataKey> {
    const chain = (await this.#chain(scope)) ?? (await this.#hold(scope, this.#create(scope)))
    return chain.newest
  }

  async loadOpeningKey(scope: string, version: number): Promise<DataKey> {
    const held = await this.#chain(scope)
    // A version that is not loaded yet was created by a rotation in another process.
    const key = held?.versions.get(version) ?? (await this.#load(scope))?.versions.get(version)
    if (!key) throw new VaultError(`Scope ${scope} has no data key of version ${version}.`)
    return { version, key }
  }

  async #chain(scope: string): Promise<KeyChain | undefined> {
    const held = this.#held.get(scope)
    if (held && this.#nowMs() < held.untilMs) return held.chain
    return this.#load(scope)
  }

  #load(scope: string): Promise<KeyChain | undefined> {
    return this.#hold(scope, loadChain(this.#options.keys, this.#options.ring, scope))
  }

  #create(scope: string): Promise<KeyChain> {
    const { keys, ring, clock } = this.#options
    return extendChain(keys, ring, { scope, version: 1, createdAt: clock.now() })
  }

  /** Caches the promise, so that simultaneous payments share one look-up; a failure or an absence is not cached. */
  async #hold<C extends KeyChain | undefined>(scope: string, chain: Promise<C>): Promise<C> {
    const held: CachedChain = { chain, untilMs: this.#nowMs() + this.#options.refreshMs }
    this.#held.set(scope, held)
    let found: C | undefined
    try {
      found = await chain
      return found
    } finally {
      if (!found) this.#held.deleteIf(scope, held)
    }
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime()
  }
}

interface CachedChain {
  readonly chain: Promise<KeyChain | undefined>
  readonly untilMs: number
}
