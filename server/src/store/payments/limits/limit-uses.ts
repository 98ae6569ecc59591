/**
 * Counters of limits, exact under parallel payments. Chapter 50 §3, §4.
 *
 * A payment is counted in the same statement that writes its intent. The statement locks the counter's row and reads its current value, and
 * a table constraint refuses a value beyond the limit: then nothing of the payment is written. An advisory lock would not suffice, because
 * a statement sees what was committed before it began, not before it got the lock. Summing a month's payments each time would cost more
 * with every payment.
 *
 * Rows are locked in the same order everywhere, so that payments cannot deadlock: a plan, the limits in the order of the routing filter,
 * then the card.
 */
import type { LimitCounter, LimitUse } from '#domain/routing/limit-use.ts'
import type { LimitClash } from '../../../contracts/ports.ts'
import type { Recount } from '../../../contracts/records.ts'
import { refusedBy } from '../../database/constraint.ts'
import { json } from '../../database/insertion.ts'

type Params = readonly unknown[]

/** By the constraint that refused the write. */
const clashes: Readonly<Record<string, LimitClash | 'budget-spent'>> = {
  mid_day_limit: 'mid-day-limit',
  mid_month_limit: 'mid-month-limit',
  mapping_day_limit: 'mapping-day-limit',
  mapping_week_limit: 'mapping-week-limit',
  card_tries_budget: 'budget-spent',
}

export const clashOf = (error: unknown): LimitClash | 'budget-spent' | null => clashes[refusedBy(error) ?? ''] ?? null

export const countingWidth = 3

/**
 * The payments that a new counter starts with: captured in the period, but made before the limit was counted. A payment that was counted
 * when it was made stays in that period, even if its capture moved its financial day into this one.
 */
export const uncountedCondition = (mid: string): string =>
  `mid_id = ${mid} and financial_day >= given.starts and (given.owner = ${mid} or mapping_id = given.owner)
     and (facts -> 'limits' @> jsonb_build_array(
       jsonb_build_object('period', given.period, 'owner', given.owner, 'currency', nullif(given.currency, ''))
     )) is not true`

/** What those payments add up to: their number, or their amounts in the counter's currency. */
export const uncountedSum = `case when given.currency = '' then count(*)
       else coalesce(sum(authorised_minor) filter (where payments.currency = given.currency), 0) end`

export const sameCounter = `known.owner = given.owner and known.period = given.period and known.starts = given.starts
       and known.currency = given.currency`

/** The sum of a period's payments, computed only when its counter is created. */
const sumText = (first: number) =>
  `case when exists (select 1 from limit_sums known where ${sameCounter}) then 0 else (
       select ${uncountedSum} from payments where ${uncountedCondition(`$${first + 2}`)}
     ) end`

/** A table expression for a statement that writes an intent. `from` names the expression without which nothing may be counted. */
export const countingText = (first: number, from?: string): string => countText(first, from, sumText(first))

/**
 * The same for counters that exist, as in a distributed database; see `limit-counters.ts`. Nothing is summed, so that the MID has no effect; it
 * is named because both forms take the same parameters.
 */
export const countingOnlyText = (first: number, from?: string): string =>
  countText(first, from, `case when $${first + 2}::uuid is null then 0 else 0 end`)

const countText = (first: number, from: string | undefined, before: string): string =>
  `counted as (
     insert into limit_sums as held (owner, period, starts, currency, used, most)
     select given.owner, given.period, given.starts, given.currency,
       ${before} + case when given.currency = '' then 1 else $${first + 1}::numeric end, given.most
     from ${from ? `${from}, ` : ''}${recordset(first)}
     order by given.place
     on conflict (owner, period, starts, currency) do update set
       used = held.used + case when held.currency = '' then 1 else $${first + 1}::numeric end, most = excluded.most
     returning period
   )`

const recordset = (place: number) =>
  `jsonb_to_recordset($${place}::jsonb)
       as given (place int, owner uuid, period text, starts date, currency text, most numeric)`

export const countingParams = (uses: readonly LimitUse[], amountMinor: bigint, midId: string | null): Params => [
  // Money is text, because it may exceed the range of JSON numbers.
  json(uses.map((use, place) => ({ place, ...counterOf(use), most: String(use.most) }))),
  amountMinor,
  midId,
]

/** The key of a counter as stored: an empty currency counts payments. */
export const counterOf = ({ owner, period, starts, currency }: LimitCounter) => ({
  owner,
  period,
  starts,
  currency: currency ?? '',
})

/**
 * A table expression for a statement that writes an outcome; `from` names what is locked first. Releasing is not subject to the limit, even
 * if it has been lowered since.
 */
export const recountingText = (first: number, from: string): string =>
  `, recounted as (
     insert into limit_sums as held (owner, period, starts, currency, used)
     select given.owner, given.period, given.starts, given.currency,
       case when given.currency = '' then $${first + 2}::bigint else $${first + 1}::numeric end
     from ${from}, ${recordset(first)}
     order by given.place
     on conflict (owner, period, starts, currency) do update set used = held.used + excluded.used, most = null
   )`

export const recountingParams = ({ uses, amountMinor, count }: Recount): Params => [
  json(uses.map((use, place) => ({ place, ...counterOf(use) }))),
  amountMinor,
  count,
]
