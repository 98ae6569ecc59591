/**
 * Intermediate keys of wallet B under which a root's signature was found good, remembered with that signature.
 *
 * A maker signs with one such key for days, and verifying it costs as much as verifying the token. Only what verified is
 * remembered, so nobody can fill the memory with keys of his own; whether the root is still believed and the key not yet
 * expired depends on the moment, is not remembered and is asked for every token.
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

  /** What one of the signatures was found to say of this very text, if a root of these had made it. */
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

/** Makers have a handful at a time; the bound is for years without a restart. */
const limit = 64
