import type { Ids } from '../contracts/ports.ts'

/**
 * Lengthens a duration by up to the fraction `share`, so that work that began together does not repeat together. It is never shortened, so
 * a retry planned after a minute does not come earlier.
 */
export function addJitter(value: number, share: number, ids: Pick<Ids, 'random'>): number {
  return value * (1 + share * fraction(ids))
}

const bytes = 4

/** From 0 up to, but not including, 1. */
function fraction(ids: Pick<Ids, 'random'>): number {
  return Number.parseInt(ids.random(bytes), 16) / 2 ** (8 * bytes)
}
