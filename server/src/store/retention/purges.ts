/**
 * What retention removes, by kind, in batches so that no other work waits long. Chapter 50 §5.
 *
 * Every purge runs inside its caller's transaction, removes what is older than `before` and returns where the next batch begins. Data with
 * an index on its age is removed from the oldest on; other data is walked in key order. Data with time-ordered ids is walked once: the next
 * run continues where the last one ended.
 */

import type { RetainedKind } from '#domain/retention.ts'
import { firstId } from '#domain/uuid.ts'
import type { RowKey } from '#server/contracts/records.ts'
import { idsBefore } from '../database/id-bounds.ts'
import { type PoolClient, query, type Statement, sql } from '../database/pool.ts'
import { erasePayments } from './erased-payments.ts'
import { inForms, type Names, namedRows, queryNamed } from './named-rows.ts'
import { removeUnusedCards } from './removed-cards.ts'
import { keepReasonOf } from './still-needed.ts'

interface Batch {
  readonly before: Date
  /** The end of the previous batch; empty for the first. */
  readonly cursor: string
  readonly limit: number
  readonly now: Date
}

export interface PurgeResult {
  readonly removed: number
  readonly cursor: string
  /** Whether the run continues. */
  readonly more: boolean
}

type Purge = (client: PoolClient, batch: Batch) => Promise<PurgeResult>

/** Removes the oldest rows first, by an index on their age; a small table is read whole. */
function purgeOldest(name: string, text: string): Purge {
  const statement = sql<{ one: 1 }, readonly [Date, number]>(name, text)
  return async (client, { before, limit }) => {
    const removed = (await query(client, statement, [before, limit])).length
    return { removed, cursor: '', more: removed === limit }
  }
}

/** The same over distributed tables: the oldest are found first, and removed by name. */
function purgeNamed(
  oldest: Statement<RowKey, readonly [Date, number]>,
  remove: ReturnType<typeof inForms<{ one: 1 }, readonly [...Names, Date]>>,
): Purge {
  return async (client, { before, limit }) => {
    const found = await query(client, oldest, [before, limit])
    const removed = (await queryNamed(client, remove, found, before)).length
    // What another transaction has locked waits for the next run.
    return { removed, cursor: '', more: found.length === limit && removed > 0 }
  }
}

const idempotencyKeys = purgeNamed(
  sql(
    'idempotency.oldest',
    'select merchant_id as "merchantId", key as id from idempotency_keys where created_at < $1 order by created_at limit $2',
  ),
  inForms(
    'idempotency.purge',
    (inBucket) => `with gone as (
     delete from idempotency_keys held using (
       select old.merchant_id, old.key from idempotency_keys old join ${namedRows('text')} on old.merchant_id = named.merchant_id and old.key = named.id
       where old.created_at < $3${inBucket('old')} for update of old skip locked
     ) as free where held.merchant_id = free.merchant_id and held.key = free.key${inBucket('held')} returning held.merchant_id, held.use_id
   ), uses as (
     delete from key_uses used using gone where used.merchant_id = gone.merchant_id and used.use_id = gone.use_id${inBucket('used')}
   )
   select 1 as one from gone`,
  ),
)

const typedCards = purgeNamed(
  sql(
    'session.oldest-fields',
    'select merchant_id as "merchantId", id from sessions where fields_sealed is not null and expires_at < $1 order by expires_at limit $2',
  ),
  inForms(
    'session.purge-fields',
    (inBucket) => `update sessions held set fields_sealed = null from (
     select old.merchant_id, old.id from sessions old join ${namedRows()} on old.merchant_id = named.merchant_id and old.id = named.id
     where old.fields_sealed is not null and old.expires_at < $3${inBucket('old')} for update of old skip locked
   ) as free where held.merchant_id = free.merchant_id and held.id = free.id${inBucket('held')} returning 1 as one`,
  ),
)

const limitCounts = purgeOldest(
  'limit-use.purge',
  `delete from limit_sums held using (
     select owner, period, starts, currency from limit_sums
     where starts < ($1 at time zone 'UTC')::date limit $2 for update skip locked
   ) as old where held.owner = old.owner and held.period = old.period and held.starts = old.starts and held.currency = old.currency
   returning 1 as one`,
)

const velocity = purgeOldest(
  'risk-velocity.purge',
  `delete from risk_velocity held using (
     select scope, subject, counts from risk_velocity where last_at < $1 order by last_at limit $2 for update skip locked
   ) as old where held.scope = old.scope and held.subject = old.subject and held.counts = old.counts returning 1 as one`,
)

const traceNumbers = purgeOldest(
  'trace-number.purge',
  `delete from trace_numbers held using (
     select key from trace_numbers where reserved_at < $1 order by reserved_at limit $2 for update skip locked
   ) as old where held.key = old.key returning 1 as one`,
)

const signUps = purgeOldest(
  'sign-up.purge',
  `delete from sign_ups held using (
     select id from sign_ups where expires_at < $1 order by expires_at limit $2 for update skip locked
   ) as old where held.id = old.id returning 1 as one`,
)

const refusedRequests = purgeOldest(
  'refused-request.purge',
  `delete from refused_requests held using (
     select merchant_id, id from refused_requests where at < $1 order by at limit $2 for update skip locked
   ) as old where held.merchant_id = old.merchant_id and held.id = old.id returning 1 as one`,
)

// An event that is still tried keeps nothing: it ends within a day.
const notifications = purgeOldest(
  'acquirer-notification.purge',
  `with old as materialized (
     select oldest.mid_id, oldest.id from mids cross join lateral (
       select mid_id, id from acquirer_notifications where mid_id = mids.id and received_at < $1 order by received_at limit $2
     ) oldest limit $2
   ), events as (
     delete from acquirer_events held using old where held.mid_id = old.mid_id and held.notification_id = old.id
   ), refusals as (
     delete from refused_notifications where day < ($1 at time zone 'UTC')::date
   )
   delete from acquirer_notifications held using old where held.mid_id = old.mid_id and held.id = old.id returning 1 as one`,
)

interface Page {
  readonly removed: number
  /** The last row that was read; null if there was none. */
  readonly last: string | null
}

// Tries are appended in order of time, so the last one of a row is the newest.
const purgeTries = sql<Page, readonly [string, string, number, Date]>(
  'card-tries.purge',
  `with page as materialized (
     select merchant_id, card_id, tries from card_tries where (merchant_id, card_id) > ($1::uuid, $2::uuid)
     order by merchant_id, card_id limit $3
   ), gone as (
     delete from card_tries held using page
     where held.merchant_id = page.merchant_id and held.card_id = page.card_id and held.tries[cardinality(held.tries)] < $4
     returning 1
   )
   select (select count(*)::int from gone) as removed,
     (select merchant_id || '/' || card_id from page order by merchant_id desc, card_id desc limit 1) as last`,
)

const purgeCardTries: Purge = async (client, { before, cursor, limit }) => {
  const [merchantId = firstId, cardId = firstId] = cursor === '' ? [] : cursor.split('/')
  const [page] = await query(client, purgeTries, [merchantId, cardId, limit, before])
  return restartingResult(page?.removed ?? 0, page?.last ?? null)
}

const purgeCards: Purge = async (client, { before, cursor, limit }) => {
  const { cards: removed, last } = await removeUnusedCards(client, { after: cursor, limit, before })
  return restartingResult(removed, last)
}

/** For keys without a time order: every run walks all of them. */
const restartingResult = (removed: number, last: string | null): PurgeResult => ({
  removed,
  cursor: last ?? '',
  more: last !== null,
})

const sessionPage = sql<RowKey, readonly [string, string, number]>(
  'session.page',
  'select merchant_id as "merchantId", id from sessions where id > $1 and id < $2 order by id limit $3',
)

// A session with payments stays with them and loses its payer's data when they do.
const removeSessions = inForms<{ one: 1 }, readonly [...Names, Date]>(
  'session.purge',
  (inBucket) => `delete from sessions held using ${namedRows()}
   where held.merchant_id = named.merchant_id and held.id = named.id and held.expires_at < $3${inBucket('held')}
     and not exists (select 1 from payments p where p.merchant_id = held.merchant_id and p.session_id = held.id${inBucket('p')})
   returning 1 as one`,
)

const purgeSessions: Purge = async (client, { before, cursor, limit }) => {
  const page = await query(client, sessionPage, [cursor || firstId, idsBefore(before), limit])
  const removed = await queryNamed(client, removeSessions, page, before)
  return continuingResult(removed.length, page.at(-1)?.id ?? null, cursor)
}

const paymentPage = sql<RowKey, readonly [string, string, number]>(
  'payment.page',
  'select merchant_id as "merchantId", id from payments where id > $1 and id < $2 order by id limit $3',
)

// A chain that is still charged keeps the data of its first payment.
const agedPayments = inForms<RowKey, readonly [...Names, Date]>(
  'payment.aged',
  (inBucket) => `select p.merchant_id as "merchantId", p.id
   from payments p join ${namedRows()} on p.merchant_id = named.merchant_id and p.id = named.id
   where p.erased_at is null and p.updated_at < $3${inBucket('p')} and (${keepReasonOf('p', undefined, inBucket)}) is null
     and not exists (
       select 1 from payments other
       where other.merchant_id = p.merchant_id and other.chain_id = p.chain_id and other.updated_at >= $3${inBucket('other')}
     )`,
)

const purgePayers: Purge = async (client, { before, cursor, limit, now }) => {
  const page = await query(client, paymentPage, [cursor || firstId, idsBefore(before), limit])
  const { payments } = await erasePayments(client, await queryNamed(client, agedPayments, page, before), now)
  return continuingResult(payments, page.at(-1)?.id ?? null, cursor)
}

/** The next run continues after this one. */
const continuingResult = (removed: number, last: string | null, cursor: string): PurgeResult => ({
  removed,
  cursor: last ?? cursor,
  more: last !== null,
})

// biome-ignore format: a table is read in columns.
export const purges: Readonly<Record<RetainedKind, Purge>> = {
  'idempotency keys': idempotencyKeys,
  'typed cards':      typedCards,
  'limit counts':     limitCounts,
  'trace numbers':    traceNumbers,
  'refused requests': refusedRequests,
  'acquirer notifications': notifications,
  'card tries':       purgeCardTries,
  'velocity':         velocity,
  'sessions':         purgeSessions,
  'sign-ups':         signUps,
  'payers':           purgePayers,
  'cards':            purgeCards,
}
