/**
 * A cache of wallet B's intermediate keys with the verified root signature.
 *
 * A wallet provider uses one such key for days, and verifying it costs as much as verifying the token. Only verified keys are cached, so an
 * attacker cannot fill the memory. Whether the root is still trusted and the key has not expired depends on the time and is checked for
 * every token.
 */
import type { KeyObject } from 'node:crypto'
import type { WalletBRootKey } from './trust.ts'

export interface KnownIntermediate {
  readonly key: KeyObject
  readonly expiresAt: Date
  readonly root: WalletBRootKey
}

export class KnownIntermediates {
  readonly #bySignature = new Map<string, KnownIntermediate & { readonly signedKey: string }>()

  /** The cached key for exactly this text and one of these signatures, if one of these roots made it. */
  find(
    signedKey: string,
    signatures: readonly string[],
    roots: readonly WalletBRootKey[],
  ): KnownIntermediate | undefined {
    for (const signature of signatures) {
      const known = this.#bySignature.get(signature)
      if (known?.signedKey !== signedKey) continue
      const root = roots.find(({ fingerprint }) => fingerprint === known.root.fingerprint)
      if (root !== undefined) return known
    }
    return undefined
  }

  remember(signedKey: string, signature: string, intermediate: KnownIntermediate): void {
    this.#bySignature.set(signature, { ...intermediate, signedKey })
    if (this.#bySignature.size <= limit) return
    const [oldest] = this.#bySignature.keys()
    if (oldest !== undefined) this.#bySignature.delete(oldest)
  }
}

/** Providers have a handful at a time; the limit matters only after years without a restart. */
const limit = 64
