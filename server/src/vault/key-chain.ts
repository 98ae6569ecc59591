/**
 * The opened data keys of a scope: the newest one seals, all of them open. A rotation never removes a version, so a process that has not
 * yet noticed the newest may still seal with the previous one.
 */

import type { KeyObject } from 'node:crypto'
import { type DataKey, newKey, unwrap, wrap } from './envelope.ts'
import type { HeldRing } from './key-ring.ts'
import type { DataKeyRows } from './port.ts'
import { VaultError } from './vault-error.ts'

export interface KeyChain {
  readonly newest: DataKey
  readonly newestCreatedAt: Date
  readonly versions: ReadonlyMap<number, KeyObject>
}

/** Undefined if the scope has no data key. */
export async function loadChain(keys: DataKeyRows, ring: HeldRing, scope: string): Promise<KeyChain | undefined> {
  const versions = new Map<number, KeyObject>()
  let newest: (DataKey & { readonly createdAt: Date }) | undefined
  for (const { version, kekId, wrapped, createdAt } of await keys.load(scope)) {
    const key = unwrap(await ring.loadKek(kekId), { scope, version, kekId }, wrapped)
    versions.set(version, key)
    if (!newest || version > newest.version) newest = { version, key, createdAt }
  }
  return newest && { newest, newestCreatedAt: newest.createdAt, versions }
}

/** Adds a version, or takes the one that another process added first. */
export async function extendChain(
  keys: DataKeyRows,
  ring: HeldRing,
  next: { readonly scope: string; readonly version: number; readonly createdAt: Date },
): Promise<KeyChain> {
  const { id: kekId, kek } = await ring.loadCurrentKek()
  await keys.add({ ...next, kekId, wrapped: wrap(kek, { ...next, kekId }, newKey()) })

  // Read back, because only the key in the database counts, whichever process wrote it.
  const chain = await loadChain(keys, ring, next.scope)
  if (!chain) throw new VaultError(`The data key of scope ${next.scope} vanished after it was added.`)
  return chain
}
