/**
 * The interface of the vault for the rest of the gateway, and what the vault needs from the database.
 *
 * Chapter 50 §9 (Keys): a key-encryption key wraps data keys, one chain of versions per scope, and data keys seal values. A scope is a
 * merchant's id, so that one merchant's key opens nothing of another's.
 */

import type { Secret } from '#domain/secret.ts'

/** The scope of what belongs to no merchant, such as MID credentials. Its first data key also serves as the check value at every start. */
export const PLATFORM_SCOPE = '00000000-0000-0000-0000-000000000000'

/**
 * The scope that holds the instance's fingerprint key as its only version. It is re-wrapped like every other, but never gains a version: a
 * new one would make every stored fingerprint useless.
 */
export const FINGERPRINT_SCOPE = '00000000-0000-0000-0000-000000000001'

/** What a sealed value is for; a value sealed for one purpose does not open for another. */
// biome-ignore format: a table is read in columns.
export type Purpose =
  | 'card'           // a card number
  | 'cryptogram'     // stored until the authorization is answered, then erased
  | 'password'       // a merchant's signing secret, the current and the previous one
  | 'webhook-secret' // the active secrets of a merchant's callbacks
  | 'credentials'    // a MID's credentials at its acquirer
  | 'wallet-key'     // a merchant's identity or processing private key
  | 'wallet-token'   // a token passed on undecrypted, stored until the provider answered
  | 'session-key'    // the private half of a key that signs session tokens (Chapter 30 §3.6)
  | 'totp'           // the secret of a user's second factor
  | 'payer'          // the subject of an erasure, as a fingerprint only
  | 'risk'           // a card, an address or a device in risk lists and velocity, as a fingerprint only
  | 'callback-credentials' // name and password of a callback address
  | 'evidence'       // a file of evidence in a dispute
  | 'alert-channel'  // address and signing secret of a channel for alerts
  | 'export-target'  // address and signing secret of a scheduled export
  | 'parameters' // a brand's parameters as they go to the acquirer, where some are secret

export interface Vault {
  /** Loads the scope's data keys, and creates the first, so that seal() needs no database round trip afterwards. */
  prepareScope(scope: string): Promise<void>
  seal(scope: string, purpose: Purpose, plain: Secret<string>): Promise<Buffer>
  open(scope: string, purpose: Purpose, sealed: Uint8Array): Promise<Secret<string>>
  /** 64 hex digits, equal only for equal values of one scope and purpose; they survive every rotation. */
  fingerprint(scope: string, purpose: Purpose, plain: Secret<string>): string
}

export interface DataKeyRow {
  readonly scope: string
  readonly version: number
  /** The key-encryption key that wraps it. */
  readonly kekId: string
  readonly wrapped: Buffer
  readonly createdAt: Date
}

export interface DataKeyRows {
  load(scope: string): Promise<readonly DataKeyRow[]>
  /** Two processes may add the same version at once: the second gets 'exists' and must read what the first wrote. */
  add(row: DataKeyRow): Promise<'added' | 'exists'>
  replaceWrapping(row: DataKeyRow): Promise<void>
  scopes(): AsyncIterable<string>
  /** How many data keys each key-encryption key wraps. One that wraps none may be removed from the key file. */
  countByKek(): Promise<ReadonlyMap<string, number>>
}

export interface SealedValue {
  readonly scope: string
  readonly purpose: Purpose
  /** For example `cards.pan_sealed`. */
  readonly column: string
  readonly key: string
  readonly sealed: Buffer
}

export interface ResealedValue extends SealedValue {
  readonly resealed: Buffer
}

export interface SealedColumns {
  /** The scope's values under a data key older than `version`; a page contains values of one column, in key order. */
  olderThan(scope: string, version: number): AsyncIterable<readonly SealedValue[]>
  /** Writes a page back, each value only if the row still has what was read. Returns how many were written. */
  replace(page: readonly ResealedValue[]): Promise<number>
}
