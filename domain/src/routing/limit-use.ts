/** The limits towards which a payment counts: those of its MID and its mapping, each over its own period. Chapter 50 §3, filter 8. */
import type { Limit, MerchantMapping, Mid } from '../mid.ts'
import { addDays, weekdayOf } from '../schedule/day.ts'

/** In the order in which the filter checks them. */
const limitedPeriods = ['mid day', 'mid month', 'mapping day', 'mapping week'] as const
export type LimitedPeriod = (typeof limitedPeriods)[number]

/** One counter: of a MID or a mapping, over the period that begins with a day. */
export interface LimitCounter {
  readonly period: LimitedPeriod
  readonly owner: string
  readonly starts: string
  /** The currency whose amounts are added up; null counts payments of every currency. */
  readonly currency: string | null
}

export interface LimitUse extends LimitCounter {
  /** Minor units of the currency, or a number of payments. */
  readonly most: bigint
}

interface PaymentPlace {
  readonly mid: Mid
  readonly mapping: MerchantMapping
  readonly currency: string
}

/** A limit that is not set does not limit, and nothing is counted for it. `day` is the MID's financial day. */
export function limitUses({ mid, mapping, currency }: PaymentPlace, day: string): readonly LimitUse[] {
  // biome-ignore format: a table is read in columns.
  const limits: readonly (Omit<LimitCounter, 'currency'> & { readonly most: Limit })[] = [
    { period: 'mid day',      owner: mid.id,     starts: day,                                most: mid.dayLimit },
    { period: 'mid month',    owner: mid.id,     starts: `${day.slice(0, 7)}-01`,            most: mid.monthLimit },
    { period: 'mapping day',  owner: mapping.id, starts: day,                                most: mapping.dayLimit },
    { period: 'mapping week', owner: mapping.id, starts: addDays(day, 1 - weekdayOf(day)),   most: mapping.weekLimit },
  ]
  return limits.flatMap(({ most, ...counter }): readonly LimitUse[] => {
    const amount = most.amounts[currency]
    return [
      ...(most.count === null ? [] : [{ ...counter, currency: null, most: BigInt(most.count) }]),
      ...(amount === undefined ? [] : [{ ...counter, currency, most: amount }]),
    ]
  })
}

/** Without the limits, as stored with a payment. */
export const countersOf = (uses: readonly LimitUse[]): readonly LimitCounter[] =>
  uses.map(({ period, owner, starts, currency }) => ({ period, owner, starts, currency }))
