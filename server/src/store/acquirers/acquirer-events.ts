/** Events of acquirers' notifications, until a worker has entered them. */
import type { AcquirerEvents, DueEvent } from '../../contracts/notification-ports.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { inGroups } from '../database/in-groups.ts'
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

type Texts = readonly string[]

type EventKey = readonly [midId: string, kind: string, reference: string]

const endEvent = sql<Record<never, never>, readonly [...EventKey, 'entered' | 'failed', string | null]>(
  'acquirer-event.end',
  `update acquirer_events set state = $4, note = $5, due_at = null, lease_until = null
   where mid_id = $1 and kind = $2 and reference = $3`,
)

/** Most events only confirm what is known: a burst of them ends by few statements. */
const enterEvents = sql<Record<never, never>, readonly [midIds: Texts, kinds: Texts, references: Texts]>(
  'acquirer-event.enter-group',
  `update acquirer_events held set state = 'entered', note = null, due_at = null, lease_until = null
   from unnest($1::uuid[], $2::text[], $3::text[]) as ended (mid_id, kind, reference)
   where held.mid_id = ended.mid_id and held.kind = ended.kind and held.reference = ended.reference`,
)

const mostTogether = 64

const postponeEvent = sql<Record<never, never>, readonly [...EventKey, Date, string]>(
  'acquirer-event.postpone',
  `update acquirer_events set due_at = $4, note = $5, lease_until = null
   where mid_id = $1 and kind = $2 and reference = $3`,
)

export function acquirerEventStore(pool: Pool, holder: Holder = null): AcquirerEvents {
  const enter = inGroups<EventKey, void>({
    runAlone: async (key) => {
      await query(pool, endEvent, [...key, 'entered', null])
    },
    runTogether: async (keys) => {
      // All workers write in the same order, so that two workers with overlapping leases cannot deadlock.
      const sorted = keys.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
      await query(pool, enterEvents, [
        sorted.map(([midId]) => midId),
        sorted.map(([, kind]) => kind),
        sorted.map(([, , reference]) => reference),
      ])
      return () => undefined
    },
    apart: nameOf,
    most: mostTogether,
  })
  return {
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
    recordEntered: (due) => enter(keyOf(due)),
    postpone: async (due, dueAt, note) => {
      await query(pool, postponeEvent, [...keyOf(due), dueAt, note])
    },
    fail: async (due, note) => {
      await query(pool, endEvent, [...keyOf(due), 'failed', note])
    },
  }
}

const nameOf = (key: EventKey): string => key.join(' ')

const keyOf = ({ midId, event }: DueEvent): EventKey => [midId, event.kind, event.reference]
