/** Events of acquirers' notifications, until a worker has entered them. */
import type { AcquirerEvents, DueEvent } from '../../contracts/notification-ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { decodeEvent } from './stored-event.ts'

interface EventRow {
  mid_id: string
  event: JsonObject
  received_at: Date
  tries: number
  postponed: boolean
}

const claimEvents = sql<EventRow, readonly [Date, number, number, Holder]>(
  'acquirer-event.claim',
  `with due as (
     select mid_id, kind, reference from acquirer_events
     where state = 'due' and due_at <= $1 and ${isFree}
     order by due_at limit $2
     for update skip locked
   )
   update acquirer_events held set tries = held.tries + 1, ${lease('$3', '$4')}
   from due where held.mid_id = due.mid_id and held.kind = due.kind and held.reference = due.reference
   returning held.mid_id, held.event, held.received_at, held.tries, held.note is not null as postponed`,
)

type EventKey = readonly [midId: string, kind: string, reference: string]

const endEvent = sql<Record<never, never>, readonly [...EventKey, 'entered' | 'failed', string | null]>(
  'acquirer-event.end',
  `update acquirer_events set state = $4, note = $5, due_at = null, lease_until = null
   where mid_id = $1 and kind = $2 and reference = $3`,
)

const postponeEvent = sql<Record<never, never>, readonly [...EventKey, Date, string]>(
  'acquirer-event.postpone',
  `update acquirer_events set due_at = $4, note = $5, lease_until = null
   where mid_id = $1 and kind = $2 and reference = $3`,
)

export const acquirerEventStore = (pool: Pool, holder: Holder = null): AcquirerEvents => ({
  claim: async (now, limit, leaseSeconds) => {
    const rows = await query(pool, claimEvents, [now, limit, leaseSeconds, holder])
    return rows.map(({ mid_id, event, received_at, tries, postponed }) => ({
      midId: mid_id,
      event: decodeEvent(event),
      receivedAt: received_at,
      tries,
      isPostponed: postponed,
    }))
  },
  entered: async (due) => {
    await query(pool, endEvent, [...keyOf(due), 'entered', null])
  },
  postpone: async (due, dueAt, note) => {
    await query(pool, postponeEvent, [...keyOf(due), dueAt, note])
  },
  fail: async (due, note) => {
    await query(pool, endEvent, [...keyOf(due), 'failed', note])
  },
})

const keyOf = ({ midId, event }: DueEvent): EventKey => [midId, event.kind, event.reference]
