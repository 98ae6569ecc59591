/** How long writes and payments stopped, and whether payments came back soon enough. */
import { type Findings, inSeconds, spread } from '../campaign.ts'

export interface Gap {
  readonly fault: string
  /** Seconds without an acknowledged write to the database. */
  readonly database: number
  /** Seconds without a payment that succeeded. */
  readonly payments: number
}

/** Chapter 80 §2: writes are back within the fail-over time and 2 s. Of the median, decisions/high-availability#two-seconds. */
const backWithinSeconds = 2
/** The median of fewer is one of the extremes. */
const fewestJudged = 5

export function gapFigures(gaps: readonly Gap[]): Findings['figures'] {
  const faults = [...Map.groupBy(gaps, ({ fault }) => fault)]
  const later = spread(gaps.map(({ database, payments }) => payments - database))
  const longest = (some: readonly Gap[]): string => {
    const [database, payments] = [some.map((gap) => gap.database), some.map((gap) => gap.payments)]
    return `writes ${inSeconds(spread(database).max)}, payments ${inSeconds(spread(payments).max)}`
  }
  return [
    { name: 'faults of a machine', value: gaps.length },
    ...faults.map(([fault, some]) => ({
      name: `longest gap, ${fault}`,
      value: `${longest(some)} (${some.length} times)`,
    })),
    {
      name: 'payments back after the database',
      value: `median ${inSeconds(later.median)}, at most ${inSeconds(later.max)}`,
    },
    {
      name: `median above ${backWithinSeconds} s`,
      value: later.median > backWithinSeconds ? 1 : 0,
      ...(gaps.length >= fewestJudged && { must: 0 }),
    },
  ]
}
