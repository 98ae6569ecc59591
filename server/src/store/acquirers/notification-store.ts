/**
 * Stores notifications with their events.
 *
 * Acquirers send many at once. A process has one statement in progress at most, and begins the next one of a burst after a short pause: what
 * arrives meanwhile is stored by it, so that a burst takes few commits, and payments keep the database. A batch that fails is stored one by
 * one, so that a notification that cannot be stored fails alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcquirerNotifications, ReceivedNotification } from '../../contracts/notification-ports.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { refusalCounter } from './refused-notifications.ts'
import { findReported, placeEvent } from './reported-payments.ts'
import { encodeEvent } from './stored-event.ts'

interface NotificationKey {
  readonly midId: string
  readonly id: string
}

type Texts = readonly string[]

// In the order of their keys, so that two processes with the same notifications wait for each other in one direction.
const storeBatch = sql<
  NotificationKey,
  readonly [
    Texts,
    Texts,
    readonly Date[],
    readonly number[],
    Texts,
    Texts,
    readonly Date[],
    Texts,
    Texts,
    readonly (string | null)[],
    Texts,
  ]
>(
  'acquirer-notification.store',
  `with stored as (
     insert into acquirer_notifications (mid_id, id, received_at, events)
     select mid_id, id, received_at, events
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[]) as received (mid_id, id, received_at, events)
     order by mid_id, id
     on conflict do nothing
     returning mid_id, id
   ), entered as (
     insert into acquirer_events (mid_id, kind, reference, notification_id, payment_id, event, due_at, received_at)
     select event.mid_id, event.kind, event.reference, event.id, event.payment_id, event.body, event.at, event.at
     from stored join unnest($5::uuid[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::uuid[], $11::jsonb[])
       as event (mid_id, id, at, kind, reference, payment_id, body) on event.mid_id = stored.mid_id and event.id = stored.id
     order by event.mid_id, event.kind, event.reference
     on conflict do nothing
   )
   select mid_id as "midId", id from stored`,
)

const batchAtMost = 200
/** From the beginning of one statement of a burst to that of the next. A single notification does not wait. */
const betweenStatementsMs = 25

type Batch = readonly ReceivedNotification[]

/** The keys that were not stored before. */
async function storeAll(pool: Pool, batch: Batch): Promise<ReadonlySet<string>> {
  const events = batch.flatMap(({ midId, id, receivedAt, events: reported }) =>
    reported.map((event) => ({ midId, id, receivedAt, event })),
  )
  const rows = await query(pool, storeBatch, [
    batch.map(({ midId }) => midId),
    batch.map(({ id }) => id),
    batch.map(({ receivedAt }) => receivedAt),
    batch.map(({ events: reported }) => reported.length),
    events.map(({ midId }) => midId),
    events.map(({ id }) => id),
    events.map(({ receivedAt }) => receivedAt),
    events.map(({ event }) => event.kind),
    events.map(({ event }) => event.reference),
    events.map(({ event }) => event.paymentId),
    events.map(({ event }) => encodeEvent(event)),
  ])
  return new Set(rows.map(keyOf))
}

const keyOf = ({ midId, id }: NotificationKey): string => `${midId} ${id}`

interface Waiting {
  readonly notification: ReceivedNotification
  readonly resolve: (stored: 'stored' | 'known') => void
  readonly reject: (error: unknown) => void
}

export function acquirerNotificationStore(
  pool: Pool,
  pause: () => Promise<void> = () => sleep(betweenStatementsMs),
): AcquirerNotifications {
  const waiting: Waiting[] = []
  let isWriting = false
  const writeAll = async (): Promise<void> => {
    isWriting = true
    // Requests that were read in the same turn are stored together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const paused = pause()
      await write(pool, waiting.splice(0, batchAtMost))
      if (waiting.length > 0) await paused
    }
    isWriting = false
  }
  return {
    store: (notification) =>
      new Promise((resolve, reject) => {
        waiting.push({ notification, resolve, reject })
        if (!isWriting) void writeAll()
      }),
    findReported: (midId, names) => findReported(pool, midId, names),
    place: (midId, event, paymentId) => placeEvent(pool, [midId, event.kind, event.reference, paymentId]),
    countRefused: refusalCounter(pool),
  }
}

/** Never rejects: every caller gets its own result. */
async function write(pool: Pool, batch: readonly Waiting[]): Promise<void> {
  // A copy in the same batch would have its events stored twice in one statement.
  const first = new Map(batch.toReversed().map((one) => [keyOf(one.notification), one]))
  try {
    const stored = await storeAll(
      pool,
      [...first.values()].map(({ notification }) => notification),
    )
    for (const one of batch) {
      const key = keyOf(one.notification)
      one.resolve(first.get(key) === one && stored.has(key) ? 'stored' : 'known')
    }
  } catch (error) {
    if (batch.length === 1) for (const one of batch) one.reject(error)
    else for (const one of batch) await write(pool, [one])
  }
}
