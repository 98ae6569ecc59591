/** How far the events of each MID's acquirer have been read. */
import type { AcquirerCursors } from '../../contracts/ports.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

// A new MID gets its row now and is claimed next time.
const claimDue = sql<{ mid_id: string; cursor: string }, readonly [readonly string[], Date, number, number, Holder]>(
  'acquirer-cursor.claim',
  `with added as (
     insert into acquirer_cursors (mid_id, cursor, next_at)
     select id, '', $2 from unnest($1::uuid[]) as mid (id)
     where not exists (select 1 from acquirer_cursors where mid_id = mid.id)
     on conflict do nothing
   ), due as (
     select mid_id from acquirer_cursors
     where mid_id = any($1) and next_at <= $2 and ${isFree}
     order by next_at limit $3
     for update skip locked
   )
   update acquirer_cursors held set ${lease('$4', '$5')}
   from due where held.mid_id = due.mid_id
   returning held.mid_id, held.cursor`,
)

const keepCursor = sql<Record<never, never>, readonly [string, string, Date]>(
  'acquirer-cursor.keep',
  'update acquirer_cursors set cursor = $2, next_at = $3, lease_until = null where mid_id = $1',
)

export const acquirerCursorStore = (pool: Pool, holder: Holder = null): AcquirerCursors => ({
  claim: async (midIds, now, limit, leaseSeconds) => {
    const rows = await query(pool, claimDue, [midIds, now, limit, leaseSeconds, holder])
    return rows.map(({ mid_id, cursor }) => ({ midId: mid_id, cursor }))
  },
  keep: async ({ midId, cursor }, nextAt) => {
    await query(pool, keepCursor, [midId, cursor, nextAt])
  },
})
