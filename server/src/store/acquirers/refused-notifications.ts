/**
 * Counts notifications whose sender could not be verified, by MID and day.
 *
 * Such a request needs no key. A process therefore has one statement in progress at most, and what is refused meanwhile is counted by the
 * next one: a flood costs no more than a row per MID and round trip.
 */
import { type Pool, type Queryable, query, sql } from '../database/pool.ts'

interface Refusal {
  readonly midId: string
  readonly at: Date
  readonly reason: string
}

interface RefusalCount extends Refusal {
  readonly refused: number
}

const addRefusals = sql<
  Record<never, never>,
  readonly [readonly string[], readonly number[], readonly Date[], readonly string[]]
>(
  'refused-notification.add',
  `insert into refused_notifications (mid_id, day, refused, last_at, reason)
   select mid_id, (at at time zone 'UTC')::date, refused, at, reason
   from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::text[]) as counted (mid_id, refused, at, reason)
   order by mid_id
   on conflict (mid_id, day) do update set refused = refused_notifications.refused + excluded.refused,
     last_at = excluded.last_at, reason = excluded.reason`,
)

/** Resolves once the refusal is counted. */
export function refusalCounter(pool: Pool): (refusal: Refusal) => Promise<void> {
  let next = new Map<string, RefusalCount>()
  let writing: Promise<unknown> = Promise.resolve()
  let following: Promise<void> | null = null
  const writeNext = async (): Promise<void> => {
    const counts = [...next.values()]
    next = new Map()
    following = null
    await query(pool, addRefusals, [
      counts.map(({ midId }) => midId),
      counts.map(({ refused }) => refused),
      counts.map(({ at }) => at),
      counts.map(({ reason }) => reason),
    ])
  }
  return (refusal) => {
    next.set(refusal.midId, { ...refusal, refused: (next.get(refusal.midId)?.refused ?? 0) + 1 })
    if (following === null) {
      following = writing.then(writeNext)
      // A failed statement is reported to those whose refusals it counted, and the next one is sent all the same.
      writing = following.catch(() => undefined)
    }
    return following
  }
}

export interface RefusedNotifications {
  readonly midId: string
  readonly refused: number
  readonly lastAt: Date
  readonly reason: string
}

const refusalsSince = sql<RefusedNotifications, readonly [Date, string | null]>(
  'refused-notification.since',
  `select mid_id as "midId", sum(refused)::float8 as refused, max(last_at) as "lastAt",
     (array_agg(reason order by day desc))[1] as reason
   from refused_notifications where day >= ($1 at time zone 'UTC')::date and ($2::uuid is null or mid_id = $2)
   group by mid_id order by max(last_at) desc`,
)

/** From the beginning of the day, by MID. */
export const listRefusedSince = (
  on: Queryable,
  since: Date,
  midId: string | null,
): Promise<readonly RefusedNotifications[]> => query(on, refusalsSince, [since, midId])
