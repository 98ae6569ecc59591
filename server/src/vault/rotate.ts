/**
 * Rotation of keys while the gateway serves (Chapter 50 §9).
 *
 * `rewrapDataKeys` wraps every data key with the current key-encryption key. Sealed values are not touched, so it takes moments and is all
 * that a change of the key-encryption key needs.
 *
 * `resealValues` replaces the data keys themselves: first a new version for every scope whose newest is old; then each value under an older
 * version is opened, sealed with the newest and written back, unless the row was changed in between.
 *
 * Both may be interrupted and repeated: completed parts are recognised. Serving processes seal with the previous version until they read
 * their keys again (KEY_REFRESH_MS); a repetition after that time finds those values, and one that reseals nothing shows that the rotation
 * is complete.
 */

import * as envelope from './envelope.ts'
import { extendChain, type KeyChain, loadChain } from './key-chain.ts'
import { HeldRing, type KeyRing } from './key-ring.ts'
import {
  type DataKeyRows,
  FINGERPRINT_SCOPE,
  type ResealedValue,
  type SealedColumns,
  type SealedValue,
} from './port.ts'
import { VaultError } from './vault-error.ts'

interface RewrapOptions {
  readonly ring: KeyRing
  readonly keys: DataKeyRows
  readonly onProgress?: (soFar: RewrapReport) => void
}

interface RewrapReport {
  readonly scopes: number
  readonly rewrapped: number
}

export async function rewrapDataKeys({ ring, keys, onProgress }: RewrapOptions): Promise<RewrapReport> {
  const held = new HeldRing(ring)
  const { id: kekId, kek } = await held.loadCurrentKek()
  let report: RewrapReport = { scopes: 0, rewrapped: 0 }

  for await (const scope of keys.scopes()) {
    const rows = (await keys.load(scope)).filter((row) => row.kekId !== kekId)
    for (const row of rows) {
      const dataKey = envelope.unwrap(await held.loadKek(row.kekId), row, row.wrapped)
      await keys.replaceWrapping({ ...row, kekId, wrapped: envelope.wrap(kek, { ...row, kekId }, dataKey) })
    }
    report = { scopes: report.scopes + 1, rewrapped: report.rewrapped + rows.length }
    onProgress?.(report)
  }
  return report
}

interface ResealOptions {
  readonly ring: KeyRing
  readonly keys: DataKeyRows
  readonly columns: SealedColumns
  readonly now: Date
  /** A scope whose newest data key is older gets a new one. A repetition with the same time creates no further keys. */
  readonly createdBefore: Date
  readonly onProgress?: (soFar: ResealReport) => void
  /** Called for a value that does not open; it is left unchanged and does not delay the others. */
  readonly onUnreadable?: (value: UnreadableValue) => void
}

export interface ResealReport {
  readonly scopes: number
  readonly newKeys: number
  readonly resealed: number
  /** Left alone because the row was changed or removed between reading and writing. */
  readonly changedMeanwhile: number
  readonly unreadable: number
}

type UnreadableValue = Pick<SealedValue, 'scope' | 'column' | 'key'>

export async function resealValues(options: ResealOptions): Promise<ResealReport> {
  const ring = new HeldRing(options.ring)
  const report = { scopes: 0, newKeys: 0, resealed: 0, changedMeanwhile: 0, unreadable: 0 }
  const progress = () => options.onProgress?.({ ...report })

  // All keys first, so that serving processes have time to notice theirs before its values are resealed.
  for await (const scope of options.keys.scopes()) {
    if (await renew(options, ring, scope)) report.newKeys += 1
  }
  progress()

  for await (const scope of options.keys.scopes()) {
    const chain = await loadChain(options.keys, ring, scope)
    if (!chain) continue

    for await (const page of options.columns.olderThan(scope, chain.newest.version)) {
      const resealed = page.flatMap((value) => reseal(chain, value, options.onUnreadable))
      const written = await options.columns.replace(resealed)
      report.resealed += written
      report.changedMeanwhile += resealed.length - written
      report.unreadable += page.length - resealed.length
      progress()
    }
    report.scopes += 1
    progress()
  }
  return report
}

async function renew({ keys, now, createdBefore }: ResealOptions, ring: HeldRing, scope: string): Promise<boolean> {
  if (scope === FINGERPRINT_SCOPE) return false
  const chain = await loadChain(keys, ring, scope)
  if (!chain || chain.newestCreatedAt >= createdBefore) return false

  await extendChain(keys, ring, { scope, version: chain.newest.version + 1, createdAt: now })
  return true
}

function reseal(chain: KeyChain, value: SealedValue, onUnreadable: ResealOptions['onUnreadable']): ResealedValue[] {
  try {
    const version = envelope.sealedVersion(value.sealed)
    const key = chain.versions.get(version)
    if (!key) throw new VaultError(`Scope ${value.scope} has no data key of version ${version}.`)

    const plain = envelope.open({ version, key }, value, value.sealed)
    return [{ ...value, resealed: envelope.seal(chain.newest, value, plain) }]
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    onUnreadable?.({ scope: value.scope, column: value.column, key: value.key })
    return []
  }
}
