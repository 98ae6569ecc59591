/** The limits of a MID and its mapping: the counters of a payment, their usage so far, and the refusal if a limit is exceeded. */
import { errors, type Refusal } from '#domain/errors.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import type { Candidate } from '#domain/routing/candidate.ts'
import type { LimitCounter, LimitedPeriod, LimitUse } from '#domain/routing/limit-use.ts'
import { limitUses } from '#domain/routing/limit-use.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import type { PaymentRecord, Recount } from '../../contracts/records.ts'
import { today } from '../exchange/today.ts'
import type { Deps } from '../request/deps.ts'

interface LimitedMid {
  readonly mid: Mid
  readonly mapping: MerchantMapping
}

type StoredCounter = NonNullable<PaymentRecord['facts']['limits']>[number]

/** Empty where neither the MID nor the mapping limits payments in this currency. */
export const limitUsesAt = (
  deps: Pick<Deps, 'clock'>,
  { mid, mapping }: LimitedMid,
  currency: string,
): readonly LimitUse[] => limitUses({ mid, mapping, currency }, today(deps, mid))

/** For the limits filter, which runs before a MID is chosen; the write decides finally whether there is room. Chapter 50 §3. */
export async function readUsage(
  deps: Pick<Deps, 'clock' | 'usage'>,
  limited: LimitedMid,
  currency: string,
): Promise<Candidate['usage']> {
  const uses = limitUsesAt(deps, limited, currency)
  if (uses.length === 0) return null
  const used = await deps.usage.readUsage(limited.mid.id, uses)
  const counter = (period: LimitedPeriod, counts: string | null): bigint =>
    used[uses.findIndex((use) => use.period === period && use.currency === counts)] ?? 0n
  const of = (period: LimitedPeriod) => ({
    amountMinor: counter(period, currency),
    count: Number(counter(period, null)),
  })
  return {
    midDay: of('mid day'),
    midMonth: of('mid month'),
    mappingDay: of('mapping day'),
    mappingWeek: of('mapping week'),
  }
}

interface Clash {
  readonly period: LimitedPeriod
  readonly refusal: Refusal
  readonly reason: string
}

/** The refusal of each limit, and the reason that the routing explanation shows. */
// biome-ignore format: a table is read in columns.
const clashes: Readonly<Record<LimitClash, Clash>> = {
  'mid-day-limit':      { period: 'mid day',      refusal: errors.dayMidLimit,      reason: 'The day limit of the MID is exceeded.' },
  'mid-month-limit':    { period: 'mid month',    refusal: errors.monthMidLimit,    reason: 'The month limit of the MID is exceeded.' },
  'mapping-day-limit':  { period: 'mapping day',  refusal: errors.dayMappingLimit,  reason: 'The day limit of the mapping is exceeded.' },
  'mapping-week-limit': { period: 'mapping week', refusal: errors.weekMappingLimit, reason: 'The week limit of the mapping is exceeded.' },
}

export const clashOf = (clash: LimitClash): Clash => clashes[clash]

export const periodOf = (clash: LimitClash): LimitedPeriod => clashes[clash].period

export const isLimitClash = (written: unknown): written is LimitClash =>
  typeof written === 'string' && Object.hasOwn(clashes, written)

/** Counter changes after an outcome. A declined payment no longer has counters, so that they are not released twice. */
export function recountLimits(
  before: PaymentRecord,
  after: PaymentRecord,
): { readonly after: PaymentRecord; readonly recount: Recount | null } {
  const { limits, ...facts } = after.facts
  if (!limits) return { after, recount: null }
  const uses = limits.filter(isCounted)
  if (after.status === 'DECLINED' && !after.inFlight) {
    const recount = uses.length === 0 ? null : { uses, amountMinor: -before.amountMinor, count: -1 }
    return { after: { ...after, facts }, recount }
  }
  if (uses.length === 0) return { after, recount: null }
  // Chapter 20 §6.6: if the payer decides the amount, the received amount counts.
  const more = after.amountMinor - before.amountMinor
  return { after, recount: more === 0n ? null : { uses, amountMinor: more, count: 0 } }
}

/**
 * A counter without a currency belongs to an earlier release, which counted elsewhere. It is left alone: the counters of today began with
 * the sum of those payments.
 */
const isCounted = (counter: StoredCounter): counter is LimitCounter => counter.currency !== undefined
