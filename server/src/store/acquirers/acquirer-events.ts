/** Notifications of acquirers and the events in them. */
import type { AcquirerEvents, AcquirerNotifications, DueEvent } from '../../contracts/notification-ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { type Holder, isFree, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { refusalCounter } from './refused-notifications.ts'
import { decodeEvent, encodeEvent } from './stored-event.ts'

const storeNotification = sql<
  { stored: boolean },
  readonly [string, string, Date, number, readonly string[], readonly string[], readonly string[], readonly string[]]
>(
  'acquirer-notification.store',
  `with stored as (
     insert into acquirer_notifications (mid_id, id, received_at, events) values ($1, $2, $3, $4)
     on conflict do nothing
     returning id
   ), entered as (
     insert into acquirer_events (mid_id, kind, reference, notification_id, payment_id, event, due_at, received_at)
     select $1, event.kind, event.reference, stored.id, event.payment_id, event.body, $3, $3
     from stored, unnest($5::text[], $6::text[], $7::uuid[], $8::jsonb[]) as event (kind, reference, payment_id, body)
     on conflict do nothing
   )
   select exists (select from stored) as stored`,
)

export const acquirerNotificationStore = (pool: Pool): AcquirerNotifications => ({
  store: async ({ midId, id, receivedAt, events }) => {
    const [row] = await query(pool, storeNotification, [
      midId,
      id,
      receivedAt,
      events.length,
      events.map(({ kind }) => kind),
      events.map(({ reference }) => reference),
      events.map(({ paymentId }) => paymentId),
      events.map(encodeEvent),
    ])
    return row?.stored ? 'stored' : 'known'
  },
  countRefused: refusalCounter(pool),
})

interface EventRow {
  mid_id: string
  event: JsonObject
  received_at: Date
  tries: number
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
   returning held.mid_id, held.event, held.received_at, held.tries`,
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
    return rows.map(({ mid_id, event, received_at, tries }) => ({
      midId: mid_id,
      event: decodeEvent(event),
      receivedAt: received_at,
      tries,
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
