/** The same work on a small and on a large instance, by turns, so that other load on the machine affects both. */
import type { Figure, Goal } from '../figure-table.ts'

export interface Pair<T> {
  readonly small: T
  readonly large: T
}

const usual = { warmUps: 3, rounds: 15 }

/** The lower quartile of each, in milliseconds: other load only adds time. */
export async function timeByTurns(
  pair: Pair<() => Promise<unknown>>,
  { warmUps, rounds } = usual,
): Promise<Pair<number>> {
  const small: number[] = []
  const large: number[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const times = { small: await timeOf(pair.small), large: await timeOf(pair.large) }
    if (round < warmUps) continue
    small.push(times.small)
    large.push(times.large)
  }
  return { small: lowerQuartile(small), large: lowerQuartile(large) }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

export const lowerQuartile = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN

export const timeFigure = (name: string, { small, large }: Pair<number>, goal?: Goal): Figure => ({
  name,
  value: milliseconds(large),
  against: milliseconds(small),
  ratio: large / small,
  ...(goal ? { goal } : {}),
})

/** Against a limit in milliseconds instead of the small instance. */
export const limitFigure = (name: string, { small, large }: Pair<number>, mostMs: number): Figure => ({
  name,
  value: milliseconds(large),
  against: milliseconds(small),
  ratio: large,
  goal: { at: 'most', ratio: mostMs, unit: ' ms' },
})

export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
