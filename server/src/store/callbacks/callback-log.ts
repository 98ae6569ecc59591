/**
 * The callback log as people read it: what was sent and answered, what waits, what failed.
 *
 * Rows are ordered by their time-ordered id, so that a page costs the same at any size of the table.
 */
import { addressKey, maskedAddress } from '#domain/address/callback-address.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { addressKeyOf } from './callback-address.ts'

export type CallbackState = 'due' | 'delivered' | 'failed'

interface LoggedAttempt {
  readonly attempt: number
  readonly at: Date
  readonly durationMs: number
  readonly httpStatus: number | null
  readonly answer: string | null
  readonly fault: string | null
  readonly acknowledged: boolean
}

export interface LoggedCallback {
  readonly merchantId: string
  readonly id: string
  readonly paymentId: string
  readonly transactionId: string
  readonly sequence: number
  /** Without its credentials. */
  readonly url: string
  readonly contentType: string
  readonly body: string
  readonly state: CallbackState
  readonly nextAt: Date | null
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly attempts: readonly LoggedAttempt[]
}

interface CallbackLogFilter {
  readonly merchantId: string
  readonly paymentId?: string
  readonly state?: CallbackState
  /** The id of the last callback on the previous page. */
  readonly before?: string
  readonly limit?: number
}

interface CallbackBacklog {
  /** Not yet acknowledged, including those whose next attempt lies ahead. */
  readonly waiting: number
  /** Those of them whose next attempt is due. */
  readonly late: number
  readonly oldestLateAt: Date | null
  readonly failed: number
  readonly blockedUrls: number
}

const pageSize = 50
const pageSizeAtMost = 500

/** The callbacks of one payment or of a merchant, newest first, with every attempt. */
export async function listLoggedCallbacks(
  pool: Queryable,
  filter: CallbackLogFilter,
): Promise<readonly LoggedCallback[]> {
  const { merchantId, paymentId = null, state, before = lastId, limit = pageSize } = filter
  const statement = logStatements[paymentId ? 'payment' : 'merchant'][state ?? 'any']
  const rows = await query(pool, statement, [merchantId, paymentId, before, Math.min(limit, pageSizeAtMost)])
  return addAttempts(pool, rows)
}

/** Adds every attempt to the rows of callbacks. */
export async function addAttempts(pool: Queryable, rows: readonly LogRow[]): Promise<readonly LoggedCallback[]> {
  const merchantIds = [...new Set(rows.map((row) => row.merchant_id))]
  const attempts = await query(pool, listAttempts, [merchantIds, rows.map((row) => row.id)])
  const byCallback = Map.groupBy(attempts, (attempt) => attempt.callback_id)
  return rows.map((row) => loggedFrom(row, byCallback.get(row.id) ?? []))
}

/**
 * Lifts the block of an address, whose query and credentials are ignored; deferred callbacks are due at once. Returns whether there was a
 * block.
 */
export async function unblock(pool: Queryable, url: string, now: Date): Promise<boolean> {
  const rows = await query(pool, unblockUrl, [addressKey(url), now])
  return rows.length > 0
}

export function listBlockedUrls(pool: Queryable, now: Date): Promise<readonly BlockedUrl[]> {
  return query(pool, listBlocked, [now])
}

interface BlockedUrl {
  readonly url: string
  readonly until: Date
}

export async function readBacklog(pool: Queryable, now: Date): Promise<CallbackBacklog> {
  const [row] = await query(pool, countBacklog, [now])
  if (!row) throw new Error('A count answers one row.')
  return {
    waiting: row.waiting,
    late: row.late,
    oldestLateAt: row.oldest_late_at,
    failed: row.failed,
    blockedUrls: row.blocked_urls,
  }
}

export interface LogRow {
  readonly merchant_id: string
  readonly id: string
  readonly payment_id: string
  readonly transaction_id: string
  readonly sequence: number
  readonly url: string
  readonly content_type: string
  readonly body: string
  readonly state: CallbackState
  readonly next_at: Date | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

interface AttemptRow {
  readonly callback_id: string
  readonly attempt: number
  readonly at: Date
  readonly duration_ms: number
  readonly http_status: number | null
  readonly answer: string | null
  readonly fault: string | null
  readonly acknowledged: boolean
}

/** The columns of a callback, without its merchant. */
export const logColumns =
  'id, payment_id, transaction_id, sequence, url, content_type, body, state, next_at, created_at, ended_at'

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// The state is part of the text instead of a parameter: only then can PostgreSQL use the index on failed callbacks.
const logStatements = {
  payment: byState((state) => logStatement(`callback.log-payment-${state}`, 'payment_id = $2', state)),
  merchant: byState((state) => logStatement(`callback.log-merchant-${state}`, '$2::uuid is null', state)),
}

function byState<T>(make: (state: CallbackState | 'any') => T): Readonly<Record<CallbackState | 'any', T>> {
  return { any: make('any'), due: make('due'), delivered: make('delivered'), failed: make('failed') }
}

function logStatement(name: string, whose: string, state: CallbackState | 'any') {
  return sql<LogRow, readonly [merchantId: string, paymentId: string | null, before: string, limit: number]>(
    name,
    `select merchant_id, ${logColumns} from callbacks
     where merchant_id = $1 and ${whose} and id < $3 ${state === 'any' ? '' : `and state = '${state}'`}
     order by id desc limit $4`,
  )
}

const listAttempts = sql<AttemptRow, readonly [merchantIds: readonly string[], callbackIds: readonly string[]]>(
  'callback-attempt.list',
  `select callback_id, attempt, at, duration_ms, http_status, answer, fault, acknowledged from callback_attempts
   where merchant_id = any($1) and callback_id = any($2) order by callback_id, attempt`,
)

function loggedFrom(row: LogRow, attempts: readonly AttemptRow[]): LoggedCallback {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    paymentId: row.payment_id,
    transactionId: row.transaction_id,
    sequence: row.sequence,
    url: maskedAddress(row.url),
    contentType: row.content_type,
    body: row.body,
    state: row.state,
    nextAt: row.next_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      at: attempt.at,
      durationMs: attempt.duration_ms,
      httpStatus: attempt.http_status,
      answer: attempt.answer,
      fault: attempt.fault,
      acknowledged: attempt.acknowledged,
    })),
  }
}

// A block defers its callbacks to exactly the end of the block. Ordinary retries have jitter, so they do not match that millisecond.
const unblockUrl = sql<{ url: string }, readonly [url: string, now: Date]>(
  'callback-url.unblock',
  `with lifted as (
     update callback_urls known set blocked_until = null, timeouts = '{}', unblocked_at = $2 from (
       select url, blocked_until from callback_urls where url = $1 and blocked_until > $2 for update
     ) as before where known.url = before.url
     returning known.url, before.blocked_until
   ), deferred as (
     update callbacks c set next_at = $2 from lifted
     where c.state = 'due' and c.next_at = lifted.blocked_until and ${addressKeyOf('c.url')} = lifted.url
   )
   select url from lifted`,
)

const listBlocked = sql<{ url: string; until: Date }, readonly [now: Date]>(
  'callback-url.list-blocked',
  'select url, blocked_until as until from callback_urls where blocked_until > $1 order by blocked_until desc, url limit 1000',
)

interface BacklogRow {
  readonly waiting: number
  readonly late: number
  readonly oldest_late_at: Date | null
  readonly failed: number
  readonly blocked_urls: number
}

// Each count is a table of its own: Citus has no subqueries in the list of columns of a statement over several shards.
const countBacklog = sql<BacklogRow, readonly [now: Date]>(
  'callback.count-backlog',
  `select due.waiting, due.late, due.oldest_late_at, ended.failed, blocked.urls as blocked_urls
   from (
     select count(*)::int as waiting, count(*) filter (where next_at <= $1)::int as late,
       min(next_at) filter (where next_at <= $1) as oldest_late_at
     from callbacks where state = 'due'
   ) due, (select count(*)::int as failed from callbacks where state = 'failed') ended,
   (select count(*)::int as urls from callback_urls where blocked_until > $1) blocked`,
)
