/** Acquirers' notifications as people read them: what arrived, what it reported, and what became of it. Chapter 60 §2. */
import { type Queryable, query, sql } from '../database/pool.ts'

/**
 * `waiting`: an event is tried again. `failed`: an event fitted no transaction for a day. `ignored`: it reports nothing that changes a payment.
 * `repeated`: an earlier notification had its events.
 */
export const notificationStates = ['waiting', 'entered', 'failed', 'ignored', 'repeated'] as const
type NotificationState = (typeof notificationStates)[number]

interface LoggedEvent {
  readonly kind: string
  readonly reference: string
  /** Null while the payment of an event that names references alone is not found. */
  readonly paymentId: string | null
  readonly state: 'waiting' | 'entered' | 'failed'
  readonly tries: number
  /** Why it could not be entered yet, or at all. */
  readonly note: string | null
}

export interface LoggedNotification {
  readonly midId: string
  readonly mid: string
  readonly id: string
  readonly receivedAt: Date
  readonly state: NotificationState
  readonly events: readonly LoggedEvent[]
}

interface NotificationFilter {
  readonly midId: string | null
  readonly state: NotificationState | null
  readonly since: Date | null
  readonly limit: number
}

const shownState = (column: string): string => `case ${column} when 'due' then 'waiting' else ${column} end`

const stateOfNotification = `case when received.events = 0 then 'ignored' else (
         select case when count(*) = 0 then 'repeated' when bool_or(state = 'failed') then 'failed'
           when bool_or(state = 'due') then 'waiting' else 'entered' end
         from acquirer_events where mid_id = received.mid_id and notification_id = received.id
       ) end`

const eventIn = (stored: string): string =>
  `(received.mid_id, received.id) in (select mid_id, notification_id from acquirer_events where state = '${stored}')`

/**
 * What every notification in this state fulfils, and an index or the row itself can tell: of a rare state, most notifications are left out before
 * their state is computed from their events.
 */
// biome-ignore format: a table is read in columns.
const necessary: Readonly<Record<NotificationState, string>> = {
  waiting:  eventIn('due'),
  failed:   eventIn('failed'),
  ignored:  'received.events = 0',
  entered:  'received.events > 0',
  repeated: 'received.events > 0',
}

/** By MID, because the index on the time of arrival begins with it. */
const logStatement = (state: NotificationState | null) =>
  sql<LoggedNotification, readonly [string | null, Date | null, NotificationState | null, number]>(
    `notification.log-${state ?? 'all'}`,
    `select newest.mid_id as "midId", mids.name as mid, newest.id, newest.received_at as "receivedAt", newest.state,
       coalesce((
         select jsonb_agg(jsonb_build_object('kind', kind, 'reference', reference, 'paymentId', payment_id,
           'state', ${shownState('state')}, 'tries', tries, 'note', note) order by kind, reference)
         from acquirer_events where mid_id = newest.mid_id and notification_id = newest.id
       ), '[]') as events
     from mids cross join lateral (
       select shown.mid_id, shown.id, shown.received_at, shown.state from (
         select received.mid_id, received.id, received.received_at, ${stateOfNotification} as state
         from acquirer_notifications received
         where received.mid_id = mids.id and ($2::timestamptz is null or received.received_at >= $2) ${state === null ? '' : `and ${necessary[state]}`}
       ) shown
       where $3::text is null or shown.state = $3
       order by shown.received_at desc limit $4
     ) newest
     where $1::uuid is null or mids.id = $1
     order by newest.received_at desc, newest.id limit $4`,
  )

const logStatements = new Map([null, ...notificationStates].map((state) => [state, logStatement(state)]))

/** Newest first. */
export const listNotifications = async (
  on: Queryable,
  { midId, state, since, limit }: NotificationFilter,
): Promise<readonly LoggedNotification[]> => {
  const statement = logStatements.get(state) ?? logStatement(state)
  return query(on, statement, [midId, since, state, limit])
}

export interface PaymentEvent extends LoggedEvent {
  readonly midId: string
  readonly notificationId: string
  readonly receivedAt: Date
}

const eventsOfPayment = sql<PaymentEvent, readonly [string, readonly string[]]>(
  'acquirer-event.of-payment',
  `select mid_id as "midId", notification_id as "notificationId", received_at as "receivedAt", kind, reference,
     payment_id as "paymentId", ${shownState('state')} as state, tries, note
   from acquirer_events where payment_id = $1 and mid_id = any($2)
   order by received_at, kind, reference limit 200`,
)

/** Oldest first. Only of the MIDs at which the payment was: another acquirer may name its id, but says nothing about it. */
export const listPaymentEvents = (
  on: Queryable,
  paymentId: string,
  midIds: readonly string[],
): Promise<readonly PaymentEvent[]> => query(on, eventsOfPayment, [paymentId, midIds])
