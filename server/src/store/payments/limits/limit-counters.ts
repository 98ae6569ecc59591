/**
 * Creates the counters of limits in a distributed database, where the statement that opens a payment cannot sum the payments of other
 * merchants. On one server that statement does both; see `limit-uses.ts`.
 *
 * Two payments that find no counter both sum, and the first one's sum stays. Neither is in it: a payment that counts names its counters.
 */
import type { LimitCounter } from '#domain/routing/limit-use.ts'
import { json } from '../../database/insertion.ts'
import { type Pool, query, sql } from '../../database/pool.ts'
import { counterOf, sameCounter } from './limit-uses.ts'

type CounterRow = ReturnType<typeof counterOf>

const missingCounters = sql<CounterRow, readonly [string | null]>(
  'limit-use.missing',
  `select given.owner, given.period, given.starts, given.currency
   from jsonb_to_recordset($1::jsonb) as given (owner uuid, period text, starts date, currency text)
   left join limit_sums known on ${sameCounter}
   where known.owner is null`,
)

const sumPayments = sql<
  { used: bigint },
  readonly [midId: string | null, starts: string, owner: string, counter: string | null, currency: string]
>(
  'limit-use.sum',
  `select case when $5 = '' then count(*) else coalesce(sum(authorised_minor) filter (where currency = $5), 0) end as used from payments
   where mid_id = $1 and financial_day >= $2::date and ($3::uuid = $1 or mapping_id = $3)
     and (facts -> 'limits' @> $4::jsonb) is not true`,
)

const addCounter = sql<Record<never, never>, readonly [string, string, string, string, bigint]>(
  'limit-use.begin',
  `insert into limit_sums (owner, period, starts, currency, used) values ($1, $2, $3, $4, $5)
   on conflict (owner, period, starts, currency) do nothing`,
)

export async function beginCounters(pool: Pool, uses: readonly LimitCounter[], midId: string | null): Promise<void> {
  for (const { owner, period, starts, currency } of await query(pool, missingCounters, [json(uses.map(counterOf))])) {
    const named = json([{ period, owner, currency: currency || null }])
    const [sum] = await query(pool, sumPayments, [midId, starts, owner, named, currency])
    await query(pool, addCounter, [owner, period, starts, currency, sum?.used ?? 0n])
  }
}
