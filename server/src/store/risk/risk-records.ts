/**
 * Looks up risk lists and counts velocity for routing. Chapter 70 §7.
 *
 * A payment is counted by one statement that adds it and returns the payments counted so far. An update of a row waits for the one before it
 * and sees its result, so that of many concurrent payments each sees all that came before it.
 */
import type { RiskKind, RiskList } from '#domain/risk/risk-entry.ts'
import { riskLimits } from '#domain/risk/risk-limits.ts'
import type { CountedPayment, RiskRecords, VelocityCounter } from '../../contracts/risk-ports.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'

/** One more than a rule can ask for. */
const keptPayments = riskLimits.countedPayments + 1

const findListed = sql<
  { list: RiskList; kind: RiskKind; reason: string },
  readonly [merchantId: string, keys: string | null, ip: string | null, at: Date]
>(
  'risk-entry.find',
  `select entry.list, entry.kind, entry.reason from risk_entries entry
   join jsonb_to_recordset($2::jsonb) as given (kind text, value text) on entry.kind = given.kind and entry.value = given.value
   where (entry.merchant_id is null or entry.merchant_id = $1) and (entry.expires_at is null or entry.expires_at > $4)
   union
   select list, kind, reason from risk_entries
   where network >>= $3::inet and (merchant_id is null or merchant_id = $1) and (expires_at is null or expires_at > $4)`,
)

interface Counted {
  times: Date[]
  amounts: string[]
}

const addPayment = sql<
  Counted & { place: number },
  readonly [counters: string | null, at: Date, amount: bigint, since: Date, kept: number]
>(
  'risk-velocity.count',
  `with given as (
     select place, scope, subject, counts from jsonb_to_recordset($1::jsonb) as one (place int, scope uuid, subject text, counts text)
   ), added as (
     insert into risk_velocity as held (scope, subject, counts, times, amounts, last_at)
     select scope, subject, counts, array[$2::timestamptz], array[$3::numeric], $2 from given order by scope, subject, counts
     on conflict (scope, subject, counts) do update set
       times = array(select time from unnest(held.times) with ordinality as kept (time, number)
         where time > $4 and number > cardinality(held.times) - $5 order by number) || excluded.times,
       amounts = array(select amount from unnest(held.times, held.amounts) with ordinality as kept (time, amount, number)
         where time > $4 and number > cardinality(held.times) - $5 order by number) || excluded.amounts,
       last_at = excluded.last_at
     returning scope, subject, counts, times, amounts
   )
   select given.place, added.times, added.amounts::text[] as amounts from added join given using (scope, subject, counts) order by given.place`,
)

const readPayments = sql<Counted & { place: number }, readonly [counters: string | null]>(
  'risk-velocity.read',
  `select given.place, held.times, held.amounts::text[] as amounts
   from jsonb_to_recordset($1::jsonb) as given (place int, scope uuid, subject text, counts text)
   join risk_velocity held on held.scope = given.scope and held.subject = given.subject and held.counts = given.counts`,
)

export const riskRecords = (pool: Pool): RiskRecords => ({
  findListed: (merchantId, keys, at) => {
    const ip = keys.find(({ kind }) => kind === 'ip')?.value ?? null
    const exact = keys.filter(({ kind }) => kind !== 'ip')
    return query(pool, findListed, [merchantId, json(exact), ip, at])
  },
  count: async (counters, { at, amountMinor }, since) =>
    inPlaces(
      counters,
      since,
      await query(pool, addPayment, [rowsOf(counters), at, amountMinor, since, keptPayments - 1]),
    ),
  readCounters: async (counters, since) =>
    inPlaces(counters, since, await query(pool, readPayments, [rowsOf(counters)])),
})

const rowsOf = (counters: readonly VelocityCounter[]): string | null =>
  json(counters.map(({ scope, subject, currency }, place) => ({ place, scope, subject, counts: currency ?? '' })))

function inPlaces(
  counters: readonly VelocityCounter[],
  since: Date,
  rows: readonly (Counted & { place: number })[],
): readonly (readonly CountedPayment[])[] {
  return counters.map((_, place) => {
    const { times, amounts } = rows.find((row) => row.place === place) ?? { times: [], amounts: [] }
    return times.map((at, index) => ({ at, amountMinor: BigInt(amounts[index] ?? '0') })).filter(({ at }) => at > since)
  })
}
