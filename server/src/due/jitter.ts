import type { Ids } from '../contracts/ports.ts'

/**
 * A duration of up to `share` more than `value`, so that what began together does not repeat together. Never less: a retry planned after a
 * minute does not come before it.
 */
export function addJitter(value: number, share: number, ids: Pick<Ids, 'random'>): number {
  return value * (1 + share * fraction(ids))
}

const bytes = 4

/** From 0 up to, but not including, 1. */
function fraction(ids: Pick<Ids, 'random'>): number {
  return Number.parseInt(ids.random(bytes), 16) / 2 ** (8 * bytes)
}
