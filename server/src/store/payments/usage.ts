/** How much MIDs and mappings have taken so far, for their limits. Declined payments do not count. */
import type { LimitUsages } from '../../contracts/ports.ts'
import { isDistributed } from '../database/buckets.ts'
import { json } from '../database/insertion.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { beginCounters } from './limits/limit-counters.ts'
import { counterOf, sameCounter, uncountedCondition, uncountedSum } from './limits/limit-uses.ts'

/** A period without a counter yet uses the sum of its payments; see `limit-uses.ts`. */
const totals = sql<{ used: bigint }, readonly [string, string | null]>(
  'usage.totals',
  `select coalesce(known.used, summed.used) as used
   from jsonb_to_recordset($2::jsonb) as given (place int, owner uuid, period text, starts date, currency text)
   left join limit_sums known on ${sameCounter}
   cross join lateral (
     select ${uncountedSum} as used from payments where known.owner is null and ${uncountedCondition('$1')}
   ) as summed
   order by given.place`,
)

const counted = sql<{ used: bigint }, readonly [string | null]>(
  'usage.counted',
  `select known.used
   from jsonb_to_recordset($1::jsonb) as given (place int, owner uuid, period text, starts date, currency text)
   join limit_sums known on ${sameCounter}
   order by given.place`,
)

export const usageStore = (pool: Pool): LimitUsages => ({
  readUsage: async (midId, uses) => {
    const rows = json(uses.map((use, place) => ({ place, ...counterOf(use) })))
    if (!(await isDistributed(pool))) return (await query(pool, totals, [midId, rows])).map(({ used }) => used)
    await beginCounters(pool, uses, midId)
    return (await query(pool, counted, [rows])).map(({ used }) => used)
  },
})
