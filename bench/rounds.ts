/** A figure over all rounds: its median, and beside it the least and the most, so that a reader sees how steady it was. */
import type { Figure, Goal } from './figure-table.ts'

interface Rounds {
  readonly name: string
  /** One per round. */
  readonly values: readonly number[]
  readonly format: (value: number) => string
  readonly against?: string
  /** One per round: the ratio within that round, which other load affects less than the values. */
  readonly ratios?: readonly number[]
  /** Of the ratio; of the value itself if there are no ratios. */
  readonly goal?: Goal
}

export async function everyRound<T>(
  { rounds }: { readonly rounds: number },
  run: (round: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) results.push(await run(round))
  return results
}

export function figureOver({ name, values, format, against, ratios, goal }: Rounds): Figure {
  const judged = ratios ?? (goal ? values : undefined)
  return {
    name,
    value: format(medianOf(values)),
    range: rangeOf(values, format),
    ...(against === undefined ? {} : { against }),
    ...(judged === undefined ? {} : { ratio: medianOf(judged) }),
    ...(ratios === undefined ? {} : { ratioRange: rangeOf(ratios, (ratio) => ratio.toFixed(2)) }),
    ...(goal === undefined ? {} : { goal }),
  }
}

/** Of an even number the upper one of the middle two, so that it is a round that has been. */
export function medianOf(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  if (middle === undefined) throw new RangeError('A measurement needs at least one round.')
  return middle
}

/** Empty if there was only one round, or if all read alike. */
function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [least, most] = [format(Math.min(...values)), format(Math.max(...values))]
  if (least === most) return ''
  const [, unit = ''] = /\d(\D*)$/.exec(most) ?? []
  return `${least.slice(0, least.length - unit.length)} – ${most}`
}

export const perSecond = (count: number): string => `${Math.round(count)} /s`
export const milliseconds = (ms: number): string => `${ms.toFixed(2)} ms`
