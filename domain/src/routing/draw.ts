/** Repeatable draws: the same seed gives the same result. */

/** A fraction above 0 and below 1 from a text: FNV-1a, then mixed so that neighbouring identifiers lie far apart. */
export function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32
}

/**
 * An exponential waiting time whose rate is the weight; the shortest goes first. Each candidate is then first in proportion to its
 * weight, and dropping one does not change the order of the others. A weight of zero waits for ever.
 */
export const exponentialDraw = (seed: string, weight: number): number =>
  weight > 0 ? -Math.log(fraction(seed)) / weight : Number.POSITIVE_INFINITY

/** Each call returns another fraction above 0 and below 1. */
type Draws = () => number

export function drawsFrom(seed: string): Draws {
  let drawn = 0
  return () => {
    drawn += 1
    return fraction(`${seed} ${drawn}`)
  }
}

/**
 * A draw from the beta distribution with parameters of at least 1: the likely rates after so many successes and failures, plus one of
 * each. Computed as the first of two gamma draws divided by their sum.
 */
export function betaDraw(successes: number, failures: number, draws: Draws): number {
  const first = gammaDraw(successes, draws)
  return first / (first + gammaDraw(failures, draws))
}

/** Marsaglia and Tsang (2000), for shapes of at least 1: a cube of a normal draw, accepted nearly always at the first try. */
function gammaDraw(shape: number, draws: Draws): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const normal = normalDraw(draws)
    const v = (1 + c * normal) ** 3
    if (v > 0 && Math.log(draws()) < normal ** 2 / 2 + d * (1 - v + Math.log(v))) return d * v
  }
}

/** Box and Muller (1958); the second of each pair is not needed. */
const normalDraw = (draws: Draws): number => Math.sqrt(-2 * Math.log(draws())) * Math.cos(2 * Math.PI * draws())
