/** How much MIDs and mappings have taken so far, for their limits. Declined payments do not count. */
import type { CountedIn } from '#domain/routing/limit-use.ts'
import type { LimitUsages } from '../../contracts/ports.ts'
import { isDistributed } from '../database/buckets.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { beginCounters } from './limit-counters.ts'
import { uncountedCondition } from './limit-uses.ts'

/** A period without a counter yet uses the sum of its payments; see `limit-uses.ts`. */
const totals = sql<{ amount_minor: bigint; count: bigint }, readonly [string, string | null]>(
  'usage.totals',
  `select coalesce(known.amount_minor, summed.minor) as amount_minor, coalesce(known.count, summed.count) as count
   from jsonb_to_recordset($2::jsonb) as given (place int, owner uuid, period text, starts date)
   left join limit_uses known on known.owner = given.owner and known.period = given.period and known.starts = given.starts
   cross join lateral (
     select coalesce(sum(authorised_minor), 0) as minor, count(*) as count from payments
     where known.owner is null and ${uncountedCondition('$1')}
   ) as summed
   order by given.place`,
)

const counted = sql<{ amount_minor: bigint; count: bigint }, readonly [string | null]>(
  'usage.counted',
  `select known.amount_minor, known.count
   from jsonb_to_recordset($1::jsonb) as given (place int, owner uuid, period text, starts date)
   join limit_uses known on known.owner = given.owner and known.period = given.period and known.starts = given.starts
   order by given.place`,
)

export const usageStore = (pool: Pool): LimitUsages => ({
  of: async (midId, uses) => {
    const rows = uses.map(({ owner, period, starts }, place) => ({ place, owner, period, starts }))
    const found = (await isDistributed(pool))
      ? await readCounters(pool, midId, rows)
      : await query(pool, totals, [midId, json(rows)])
    return found.map(({ amount_minor, count }) => ({ amountMinor: amount_minor, count: Number(count) }))
  },
})

async function readCounters(pool: Pool, midId: string, rows: readonly (CountedIn & { readonly place: number })[]) {
  await beginCounters(pool, rows, midId)
  return query(pool, counted, [json(rows)])
}
