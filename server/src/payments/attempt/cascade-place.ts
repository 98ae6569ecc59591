/** Whether a MID of a cascade's order can take an attempt now. Chapter 50 §3. */
import type { SkippedMid } from '#domain/routing/ending.ts'
import type { RemainingMid } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'
import type { NextMid } from './cascade-draft.ts'

/** Returns the reason if the MID was switched off, or began to fail, since the cascade was planned. */
export function findPlace(
  { configuration, midHealth }: Deps,
  merchantId: string,
  { midId, mappingId, holds }: RemainingMid,
): NextMid | Extract<SkippedMid['because'], 'switched-off' | 'failing'> {
  const place = configuration.candidates(merchantId).find(({ mapping }) => mapping.id === mappingId)
  if (!place || place.mid.id !== midId || !place.mid.enabled || !place.mapping.enabled) return 'switched-off'
  return midHealth.admits(midId) ? { ...place, holds } : 'failing'
}

export const midNameOf = ({ configuration }: Deps, { midId }: RemainingMid): string =>
  configuration.mid(midId)?.name ?? midId
