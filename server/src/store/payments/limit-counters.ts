/**
 * Creates the counters of limits in a distributed database, where the statement that opens a payment cannot sum the payments of other
 * merchants. On one server that statement does both; see `limit-uses.ts`.
 *
 * Two payments that find no counter both sum, and the first one's sum stays. Neither is in it: a payment that counts names its counters.
 */
import type { CountedIn } from '#domain/routing/limit-use.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'

const missingCounters = sql<CountedIn, readonly [string | null]>(
  'limit-use.missing',
  `select given.owner, given.period, given.starts
   from jsonb_to_recordset($1::jsonb) as given (owner uuid, period text, starts date)
   left join limit_uses known on known.owner = given.owner and known.period = given.period and known.starts = given.starts
   where known.owner is null`,
)

const sumPayments = sql<
  { amount_minor: bigint; count: bigint },
  readonly [midId: string | null, starts: string, owner: string, counter: string | null]
>(
  'limit-use.sum',
  `select coalesce(sum(authorised_minor), 0) as amount_minor, count(*) as count from payments
   where mid_id = $1 and financial_day >= $2::date and ($3::uuid = $1 or mapping_id = $3)
     and (facts -> 'limits' @> $4::jsonb) is not true`,
)

const addCounter = sql<Record<never, never>, readonly [string, string, string, bigint, bigint]>(
  'limit-use.begin',
  `insert into limit_uses (owner, period, starts, amount_minor, count) values ($1, $2, $3, $4, $5)
   on conflict (owner, period, starts) do nothing`,
)

export async function beginCounters(pool: Pool, uses: readonly CountedIn[], midId: string | null): Promise<void> {
  const rows = uses.map(({ owner, period, starts }) => ({ owner, period, starts }))
  for (const { owner, period, starts } of await query(pool, missingCounters, [json(rows)])) {
    const [sum] = await query(pool, sumPayments, [midId, starts, owner, json([{ period, owner }])])
    await query(pool, addCounter, [owner, period, starts, sum?.amount_minor ?? 0n, sum?.count ?? 0n])
  }
}
