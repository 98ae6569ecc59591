/**
 * Counts of limits and of tries, exact under parallel payments. Chapter 50 §3, §4.
 *
 * A payment is counted in the very statement that writes its intent. The count's row is locked by that, read as it is then and not as
 * it was when the statement began, and a constraint of the table refuses what goes beyond the limit: nothing of the payment is written.
 * A lock that is not a row's would not do, because a statement sees what was committed before it began and not before it got the lock;
 * and adding up a month's payments for each of them would cost more with every one.
 *
 * Rows are locked in one order everywhere, so that no two payments wait for each other: a plan, the limits as the filter looks at
 * them, then the card.
 */
import { DatabaseError } from 'pg'
import type { CountedIn, LimitUse } from '#domain/routing/limit-use.ts'
import type { LimitClash } from '../../contracts/ports.ts'
import type { CardTry, Recount } from '../../contracts/records.ts'
import { json } from '../database/insertion.ts'

type Params = readonly unknown[]

/** By the constraint that refused the write. */
const clashes: Readonly<Record<string, LimitClash | 'budget-spent'>> = {
  mid_day_limit: 'mid-day-limit',
  mid_month_limit: 'mid-month-limit',
  mapping_day_limit: 'mapping-day-limit',
  mapping_week_limit: 'mapping-week-limit',
  card_tries_budget: 'budget-spent',
}

export const clashOf = (error: unknown): LimitClash | 'budget-spent' | null =>
  error instanceof DatabaseError ? (clashes[error.constraint ?? ''] ?? null) : null

export const countingWidth = 3

/**
 * The payments that a period begins with: they took their money in it and were made when nothing was counted yet. One that was counted
 * when it was made stays where it was, though its capture may have moved its financial day into this period.
 */
export const madeUncounted = (mid: string): string =>
  `mid_id = ${mid} and financial_day >= given.starts and (given.owner = ${mid} or mapping_id = given.owner)
     and (facts -> 'limits' @> jsonb_build_array(jsonb_build_object('period', given.period, 'owner', given.owner))) is not true`

/** What a period's payments add up to when it begins to be counted; afterwards nobody looks. */
const summed = (what: string, first: number) =>
  `case when exists (
       select from limit_uses known where known.owner = given.owner and known.period = given.period and known.starts = given.starts
     ) then 0 else (
       select ${what} from payments where ${madeUncounted(`$${first + 2}`)}
     ) end`

/** A table expression of a statement that writes an intent; `from` names what it must not be counted without. */
export const countingText = (first: number, from?: string): string =>
  `counted as (
     insert into limit_uses as held (owner, period, starts, amount_minor, count, most_minor, most_count)
     select given.owner, given.period, given.starts, ${summed('coalesce(sum(authorised_minor), 0)', first)} + $${first + 1}::numeric,
       ${summed('count(*)', first)} + 1, given.most_minor, given.most_count
     from ${from ? `${from}, ` : ''}${recordset(first)}
     order by given.place
     on conflict (owner, period, starts) do update set amount_minor = held.amount_minor + $${first + 1}::numeric, count = held.count + 1,
       most_minor = excluded.most_minor, most_count = excluded.most_count
     returning period
   )`

const recordset = (place: number) =>
  `jsonb_to_recordset($${place}::jsonb)
       as given (place int, owner uuid, period text, starts date, most_minor numeric, most_count bigint)`

export const countingParams = (uses: readonly LimitUse[], amountMinor: bigint, midId: string | null): Params => [
  json(uses.map((use, place) => ({ place, ...rowOf(use), ...mostOf(use) }))),
  amountMinor,
  midId,
]

const rowOf = ({ owner, period, starts }: CountedIn) => ({ owner, period, starts })

/** Money goes as text: it may be larger than a number of JSON. */
const mostOf = ({ most }: LimitUse) => ({
  most_minor: most.amountMinor === null ? null : String(most.amountMinor),
  most_count: most.count,
})

/**
 * A table expression of a statement that writes an outcome; `from` names what is locked before it. What is given back is held to no
 * limit, however low it is by now.
 */
export const recountingText = (first: number, from: string): string =>
  `, recounted as (
     insert into limit_uses as held (owner, period, starts, amount_minor, count)
     select given.owner, given.period, given.starts, $${first + 1}::numeric, $${first + 2}::bigint
     from ${from}, ${recordset(first)}
     order by given.place
     on conflict (owner, period, starts) do update set amount_minor = held.amount_minor + excluded.amount_minor,
       count = held.count + excluded.count, most_minor = null, most_count = null
   )`

export const recountingParams = ({ uses, amountMinor, count }: Recount): Params => [
  json(uses.map((use, place) => ({ place, ...rowOf(use) }))),
  amountMinor,
  count,
]

export const tryingWidth = 4

/** A table expression that takes one of a card's tries; the statement's first parameter is the merchant. */
export const tryingText = (first: number, from: string): string =>
  `tried as (
     insert into card_tries as held (merchant_id, card_id, tries, has_room)
     select $1, $${first}::uuid, array[$${first + 1}::timestamptz], true from ${from}
     on conflict (merchant_id, card_id) do update set
       tries = array(select at from unnest(held.tries) as at where at > (select min(since) from unnest($${first + 2}::timestamptz[]) as since))
         || excluded.tries,
       has_room = not exists (
         select from unnest($${first + 2}::timestamptz[], $${first + 3}::int[]) as time (since, most)
         where (select count(*) from unnest(held.tries) as at where at > time.since) >= time.most
       )
   )`

export const tryingParams = ({ cardId, windows }: CardTry, at: Date): Params => [
  cardId,
  at,
  windows.map(({ since }) => since),
  windows.map(({ most }) => most),
]
