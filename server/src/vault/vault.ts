/**
 * The vault: seals what must not be readable in the database, and opens it again.
 *
 * Opening the vault proves that the key ring matches the database, because a wrong key must stop the start and not the first payment. Three
 * things are checked: every key-encryption key that a data key names is on the ring; the platform's data keys, created at the very first
 * start, open; the fingerprint key opens.
 *
 * Deliberately absent: verification codes (they are in memory only, Chapter 50 §1), look-ups of rows by fingerprint (the store's task),
 * removal of old key versions (values sealed with them may be in a backup).
 */

import type { KeyObject } from 'node:crypto'
import { isStoredUuid } from '#domain/uuid.ts'
import type { Clock } from '#server/contracts/ports.ts'
import { StartupError } from '#server/process/startup-error.ts'
import * as envelope from './envelope.ts'
import { fingerprints } from './fingerprints.ts'
import { KeyChains } from './key-chains.ts'
import { HeldRing, type KeyRing } from './key-ring.ts'
import { type DataKeyRows, FINGERPRINT_SCOPE, PLATFORM_SCOPE, type Vault } from './port.ts'
import { VaultError } from './vault-error.ts'

interface VaultOptions {
  readonly ring: KeyRing
  /** Reads the ring again after a rotation elsewhere; without it, a new key-encryption key needs a restart. */
  readonly rereadRing?: (() => Promise<KeyRing>) | undefined
  readonly keys: DataKeyRows
  readonly clock: Clock
  readonly refreshMs?: number
  readonly maxScopes?: number
}

/** A rotation reaches every process within this time, at the cost of one small query per active merchant and minute. */
export const KEY_REFRESH_MS = 60_000

const MAX_SCOPES = 10_000

export async function openVault(options: VaultOptions): Promise<Vault> {
  const { keys, clock, refreshMs = KEY_REFRESH_MS, maxScopes = MAX_SCOPES } = options
  const ring = new HeldRing(options.ring, options.rereadRing)
  const chains = new KeyChains({ keys, ring, clock, refreshMs, maxScopes })
  const fingerprint = fingerprints(await loadFingerprintKey(keys, ring, chains), maxScopes)

  return {
    prepareScope: async (scope) => {
      await chains.loadSealingKey(requireScope(scope))
    },
    seal: async (scope, purpose, plain) =>
      envelope.seal(await chains.loadSealingKey(requireScope(scope)), { scope, purpose }, plain),
    open: async (scope, purpose, sealed) => {
      const dataKey = await chains.loadOpeningKey(requireScope(scope), envelope.sealedVersion(sealed))
      return envelope.open(dataKey, { scope, purpose }, sealed)
    },
    fingerprint: (scope, purpose, plain) => fingerprint({ scope: requireScope(scope), purpose }, plain),
  }
}

async function loadFingerprintKey(keys: DataKeyRows, ring: HeldRing, chains: KeyChains): Promise<KeyObject> {
  try {
    for (const kekId of (await keys.countByKek()).keys()) await ring.loadKek(kekId)
    await chains.loadSealingKey(PLATFORM_SCOPE)
    await chains.loadSealingKey(FINGERPRINT_SCOPE)
    return (await chains.loadOpeningKey(FINGERPRINT_SCOPE, 1)).key
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    throw new StartupError(
      `The key file does not belong to this database: ${error.message}`,
      'Restore the key file (or GATEHOUSE_KEYS) of this database from your copy, or start with an empty database.',
    )
  }
}

/** Scopes are authenticated character by character, so only the database's spelling of an id is accepted. */
function requireScope(scope: string): string {
  if (!isStoredUuid(scope) || scope === FINGERPRINT_SCOPE) {
    throw new VaultError('A scope is the id of a merchant or of the platform, a UUID in lower case.')
  }
  return scope
}
