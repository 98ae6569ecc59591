/** A campaign: a long test that prints figures. What it asserts are figures with a value they must have. */
import type { Audit } from './stage/audit.ts'
import type { Random } from './stage/random.ts'

export interface Campaign {
  readonly name: string
  /** One sentence, shown by the list of campaigns. */
  readonly asserts: string
  /** What the command line may change, with its default. */
  readonly sizes: Readonly<Record<string, number>>
  readonly run: (terms: Terms) => Promise<Findings>
}

export interface Terms {
  readonly random: Random
  readonly sizes: Readonly<Record<string, number>>
  /** `shared` puts the campaign on the database server of the tests. */
  readonly database: 'own' | 'shared'
}

export interface Findings {
  readonly figures: readonly Figure[]
  /** What is behind figures that are not as they must be. */
  readonly faults: readonly string[]
}

export interface Figure {
  readonly name: string
  readonly value: string | number
  /** Absent for a figure that only tells. */
  readonly must?: number
}

export const passes = ({ figures }: Findings): boolean =>
  figures.every(({ value, must }) => must === undefined || value === must)

export function sizeOf({ sizes }: Terms, name: string): number {
  const size = sizes[name]
  if (size === undefined) throw new RangeError(`There is no size ${name}.`)
  return size
}

/** The figures every audit ends in. */
export function auditFigures(audit: Audit): Findings {
  const { lost, doubled, disagreeing, untold, outOfOrder, unverified } = audit
  return {
    figures: [
      { name: 'payments', value: audit.payments },
      { name: 'effects at the acquirer', value: audit.effects },
      { name: 'lost', value: lost.length, must: 0 },
      { name: 'doubled', value: doubled.length, must: 0 },
      { name: 'amounts that disagree', value: disagreeing.length, must: 0 },
      { name: 'callbacks received', value: audit.callbacks },
      { name: 'callbacks missing', value: untold.length, must: 0 },
      { name: 'callbacks out of order', value: outOfOrder.length, must: 0 },
      { name: 'callbacks that do not verify', value: unverified.length, must: 0 },
    ],
    faults: [...lost, ...doubled, ...disagreeing, ...untold, ...outOfOrder, ...unverified],
  }
}

export function joined(...parts: readonly Findings[]): Findings {
  return { figures: parts.flatMap(({ figures }) => figures), faults: parts.flatMap(({ faults }) => faults) }
}

export function spread(seconds: readonly number[]): { readonly median: number; readonly max: number } {
  const sorted = seconds.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}

export const inSeconds = (seconds: number): string => `${seconds.toFixed(2)} s`
