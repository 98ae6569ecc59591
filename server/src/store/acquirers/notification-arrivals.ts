/** When each MID's acquirer last sent a notification, and how far apart the last ones were. */
import { limits } from '#domain/limits.ts'
import type { Arrivals } from '#domain/notification-silence.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface MidArrivals extends Arrivals {
  readonly midId: string
  readonly waiting: number
  readonly failed: number
}

interface ArrivalRow {
  readonly midId: string
  readonly lastAt: Date | null
  readonly gaps: number
  readonly longestGapMs: number | null
  readonly approvedSince: number
  readonly waiting: number
  readonly failed: number
}

const arrivalsByMid = sql<ArrivalRow, readonly [number]>(
  'notification.arrivals',
  `with unfinished as (
     select mid_id, count(*) filter (where state = 'due')::int as waiting, count(*) filter (where state = 'failed')::int as failed
     from acquirer_events where state = 'due' or state = 'failed' group by mid_id
   )
   select mids.id as "midId", arrived.last_at as "lastAt", arrived.gaps, arrived.longest_ms as "longestGapMs",
     coalesce((
       select sum(approved) from mid_answers where mid_id = mids.id and minute >= arrived.last_at
     ), 0)::int as "approvedSince",
     coalesce(unfinished.waiting, 0) as waiting, coalesce(unfinished.failed, 0) as failed
   from mids cross join lateral (
     select max(received_at) as last_at, count(gap)::int as gaps, extract(epoch from max(gap))::float8 * 1000 as longest_ms
     from (
       select received_at, received_at - lag(received_at) over (order by received_at) as gap
       from (select received_at from acquirer_notifications where mid_id = mids.id order by received_at desc limit $1) newest
     ) spaced
   ) arrived left join unfinished on unfinished.mid_id = mids.id
   order by mids.name`,
)

export const listNotificationArrivals = (on: Queryable): Promise<readonly MidArrivals[]> =>
  query(on, arrivalsByMid, [limits.notificationSilence.newest])
