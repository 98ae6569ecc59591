/** The limits towards which a payment counts: those of its MID and its mapping, each over its own period. Chapter 50 §3, filter 8. */
import type { Limit, MerchantMapping, Mid } from '../mid.ts'
import { addDays, weekdayOf } from '../schedule/day.ts'

/** In the order in which the filter checks them. */
const limitedPeriods = ['mid day', 'mid month', 'mapping day', 'mapping week'] as const
export type LimitedPeriod = (typeof limitedPeriods)[number]

/** One count: of a MID or a mapping, over the period that begins with a day. */
export interface CountedIn {
  readonly period: LimitedPeriod
  readonly owner: string
  readonly starts: string
}

export interface LimitUse extends CountedIn {
  readonly most: Limit
}

/** A limit that is not set does not limit, and nothing is counted for it. `day` is the MID's financial day. */
export function limitUses(
  { mid, mapping }: { readonly mid: Mid; readonly mapping: MerchantMapping },
  day: string,
): readonly LimitUse[] {
  // biome-ignore format: a table is read in columns.
  const uses: readonly LimitUse[] = [
    { period: 'mid day',      owner: mid.id,     starts: day,                                most: mid.dayLimit },
    { period: 'mid month',    owner: mid.id,     starts: `${day.slice(0, 7)}-01`,            most: mid.monthLimit },
    { period: 'mapping day',  owner: mapping.id, starts: day,                                most: mapping.dayLimit },
    { period: 'mapping week', owner: mapping.id, starts: addDays(day, 1 - weekdayOf(day)),   most: mapping.weekLimit },
  ]
  return uses.filter(({ most }) => most.amountMinor !== null || most.count !== null)
}

/** The form stored with a payment. */
export const countedIn = (uses: readonly LimitUse[]): readonly CountedIn[] =>
  uses.map(({ period, owner, starts }) => ({ period, owner, starts }))
