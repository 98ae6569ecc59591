/** A campaign: a long test that prints figures. Its assertions are figures with a required value. */
import type { Patch } from './patch.ts'
import type { Audit } from './stage/audit.ts'
import type { Random } from './stage/random.ts'

export interface Campaign {
  readonly name: string
  /** One sentence, shown in the list of campaigns. */
  readonly asserts: string
  /** What the command line may change, with its default. */
  readonly sizes: Sizes
  /** Sizes of the quick form, where they differ: enough to test the campaign's subject, in seconds. */
  readonly quick?: Sizes
  /** A run that takes longer has failed; the default is 20. */
  readonly longestMinutes?: number
  readonly run: (terms: Terms) => Promise<Findings>
  /** The fault that it must find. A campaign without one is listed as not proven. */
  readonly plantedFault?: PlantedFault
  /** Its form over the stand-ins of real acquirers, which `--acquirer` chooses; absent if it has none. */
  readonly overStandIns?: StandInForm
  /** The stand-ins over which it runs; absent for the sandbox acquirer. */
  readonly standIns?: readonly string[]
  /** `--from` names the release from which it starts. */
  readonly takesFrom?: true
}

export type StandInForm = Pick<Campaign, 'sizes'> & Required<Pick<Campaign, 'quick' | 'plantedFault'>>

/** Null if the campaign has no such form. */
export function campaignOver(campaign: Campaign, standIns: readonly string[]): Campaign | null {
  const { overStandIns, run } = campaign
  return overStandIns ? { ...campaign, ...overStandIns, standIns, run: (terms) => run({ ...terms, standIns }) } : null
}

/** Shows that a campaign can fail. The fault is planted from outside, never by a switch in the gateway's code. */
export interface PlantedFault {
  /** The gateway's fault, in one sentence. */
  readonly what: string
  /** The name of the figure that must show it. */
  readonly seenIn: string
  /** If the quick sizes of the campaign are too small to meet the fault. */
  readonly sizes?: Sizes
  /** Changed source text, in every process of the campaign. */
  readonly patches?: readonly Patch[]
  /** For a fault outside the source text: an acquirer that lies, a receiver that loses, a row that is changed before the audit. */
  readonly run?: (terms: Terms) => Promise<Findings>
}

export type Sizes = Readonly<Record<string, number>>

export interface Terms {
  readonly random: Random
  readonly sizes: Sizes
  /** `shared` puts the campaign on the database server of the tests. */
  readonly database: 'own' | 'shared'
  /** Stand-ins of real acquirers that take the payments; absent for the sandbox acquirer. */
  readonly standIns?: readonly string[]
  /** The tag or commit of the release from which it starts; absent if it chooses. */
  readonly from?: string
  /** Called by a campaign of several parts when one has ended: its figures count even if a later part aborts. */
  readonly report?: (part: Findings) => void
  /** Called by a long campaign after each of its steps, such as one crash. */
  readonly progress?: Progress
}

export type Progress = (done: number, of: number) => void

export interface Findings {
  readonly figures: readonly Figure[]
  /** Details of figures that do not have their required value. */
  readonly faults: readonly string[]
}

export interface Figure {
  readonly name: string
  readonly value: string | number
  /** Absent for a figure without a required value. */
  readonly must?: number
}

export const isAsItMust = ({ value, must }: Figure): boolean => must === undefined || value === must

export const passes = ({ figures }: Findings): boolean => figures.every(isAsItMust)

export function sizeOf({ sizes }: Terms, name: string): number {
  const size = sizes[name]
  if (size === undefined) throw new RangeError(`There is no size ${name}.`)
  return size
}

/** The figures that every audit ends with. */
export function auditFigures(audit: Audit): Findings {
  const { lost, doubled, disagreeing, missingCallbacks, outOfOrder, unverified } = audit
  return {
    figures: [
      { name: 'payments', value: audit.payments },
      { name: 'effects at the acquirer', value: audit.effects },
      { name: 'lost', value: lost.length, must: 0 },
      { name: 'doubled', value: doubled.length, must: 0 },
      { name: 'amounts that differ', value: disagreeing.length, must: 0 },
      { name: 'callbacks received', value: audit.callbacks },
      { name: 'callbacks missing', value: missingCallbacks.length, must: 0 },
      { name: 'callbacks out of order', value: outOfOrder.length, must: 0 },
      { name: 'callbacks with an invalid signature', value: unverified.length, must: 0 },
    ],
    faults: [...lost, ...doubled, ...disagreeing, ...missingCallbacks, ...outOfOrder, ...unverified],
  }
}

export function joinFindings(...parts: readonly Findings[]): Findings {
  return { figures: parts.flatMap(({ figures }) => figures), faults: parts.flatMap(({ faults }) => faults) }
}

export function spread(seconds: readonly number[]): { readonly median: number; readonly max: number } {
  const sorted = seconds.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 }
}

export const inSeconds = (seconds: number): string => `${seconds.toFixed(2)} s`
