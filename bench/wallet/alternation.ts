/** Two ways of the same work by turns in one process, each call timed. */
import type { Figure, Goal } from '../figure-table.ts'
import { percentile } from '../load.ts'

interface Comparison {
  readonly ours: () => void
  readonly other: () => void
  /** What the other is called. */
  readonly against: string
  readonly rounds: number
  readonly goal?: Goal
}

export function comparedFigures(name: string, { ours, other, against, rounds, goal }: Comparison): readonly Figure[] {
  warmUp(ours, other)
  const { all, medians, otherMedians, ratios } = measure(ours, other, rounds)
  const [median, otherMedian] = [percentile(medians, 0.5), percentile(otherMedians, 0.5)]
  return [
    {
      name: `${name}, verified and decrypted`,
      value: `${Math.round(1000 / median)} /s`,
      against: `${against} ${Math.round(1000 / otherMedian)} /s`,
      ratio: percentile(ratios, 0.5),
      ...(goal === undefined ? {} : { goal }),
    },
    { name: `${name}, median`, value: `${median.toFixed(2)} ms` },
    { name: `${name}, 99 of 100`, value: `${percentile(all, 0.99).toFixed(2)} ms` },
  ]
}

const callsPerRound = 50

/** The compiler works concurrently, and is slow on a busy machine. */
const warmUpMs = 3000

function warmUp(ours: () => void, other: () => void): void {
  const begun = performance.now()
  while (performance.now() - begun < warmUpMs) measureAlternately(ours, other)
}

/**
 * Other load comes in bursts. A round is short enough to lie within or outside of one, so both of its medians are affected alike, and only
 * the quietest rounds count: the quarter in which the other was fastest.
 */
function measure(ours: () => void, other: () => void, count: number) {
  const rounds = Array.from({ length: count }, () => measureAlternately(ours, other))
  const pairs = rounds.map((round) => [percentile(round.ours, 0.5), percentile(round.other, 0.5)] as const)
  const quiet = pairs.toSorted(([, one], [, other]) => one - other).slice(0, Math.ceil(count / 4))
  return {
    all: Float64Array.from(rounds.flatMap((round) => [...round.ours])).toSorted(),
    medians: Float64Array.from(quiet, ([median]) => median).toSorted(),
    otherMedians: Float64Array.from(quiet, ([, median]) => median).toSorted(),
    ratios: Float64Array.from(quiet, ([median, otherMedian]) => median / otherMedian).toSorted(),
  }
}

/** Ours and the other alternate, so that other load affects both. Milliseconds, ascending. */
function measureAlternately(ours: () => void, other: () => void) {
  const times = { ours: new Float64Array(callsPerRound), other: new Float64Array(callsPerRound) }
  for (let round = 0; round < callsPerRound; round += 1) {
    times.ours[round] = took(ours)
    times.other[round] = took(other)
  }
  return { ours: times.ours.toSorted(), other: times.other.toSorted() }
}

function took(run: () => void): number {
  const begun = performance.now()
  run()
  return performance.now() - begun
}
