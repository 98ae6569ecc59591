/**
 * The callback outbox on PostgreSQL: claims rows for delivery and settles them.
 *
 * The claim keeps the order within a payment. A row with an earlier undelivered row of its payment is not claimed but deferred, so that it
 * does not stand in the way of deliverable rows. Settling a callback for good brings the payment's next one forward; if that is ever
 * missed, the deferred row comes due by itself after a while.
 *
 * Leases use the database's clock, because they guard against dead processes; all business times come from the caller. A claim that has
 * lapsed and was settled by another worker cannot be settled again: a counted attempt has raised `attempts`, any other result has cleared
 * the lease.
 *
 * The panel's log and resending are in `callback-log.ts`.
 *
 * Chapter 10 §11.1.
 */
import { addressKey } from '#domain/address/callback-address.ts'
import { limits } from '#domain/limits.ts'
import type { CallbackAttempt, CallbackNext, CallbackRows, DueCallback } from '../../contracts/ports.ts'
import { inGroups } from '../database/in-groups.ts'
import { type Holder, isFreeAfter } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { addressKeyOf } from './callback-address.ts'

/** A claim that found rows behind undelivered ones looks again at once, up to this many times. */
const looksPerClaim = 8

/** No more than a worker delivers at once. */
const mostTogether = 64

export function callbackRows(pool: Pool, holder: Holder = null): CallbackRows {
  const settle = inGroups<Settlement>({
    // All workers write in the same order, so that two workers with overlapping leases cannot deadlock.
    write: (settlements) => writeTogether(pool, settlements.toSorted(byPayment)),
    // Callbacks of one payment are written one after another, because each brings its successor forward and must be stored by then.
    apart: ({ callback }) => callback.paymentId,
    most: mostTogether,
  })
  return {
    async claim(now, limit, leaseSeconds) {
      const claimed: DueCallback[] = []
      for (let look = 0; look < looksPerClaim; look += 1) {
        const wanted = limit - claimed.length
        const rows = await query(pool, claimDue, [now, wanted, leaseSeconds, holder])
        for (const row of rows) if (row.claimed) claimed.push(claimedFrom(row))
        if (rows.length < wanted || claimed.length === limit) break
      }
      return claimed
    },

    settle: (callback, attempt, next) => settle({ callback, attempt, next }),

    async countTimeout(url, now, begunAt = now) {
      const { blockAfterTimeouts, blockWindowMs, blockedMs } = limits.callback
      const [row] = await query(pool, countTimeout, [
        addressKey(url),
        now,
        blockAfterTimeouts,
        blockWindowMs,
        blockedMs,
        begunAt,
      ])
      return row?.blocked_until ?? null
    },

    async markReachable(url) {
      await query(pool, forgetTimeouts, [addressKey(url)])
    },
  }
}

interface ClaimRow {
  readonly claimed: boolean
  readonly merchant_id: string
  readonly payment_id: string
  readonly sequence: number
  readonly id: string
  readonly url: string
  readonly content_type: string
  readonly body: string
  readonly attempts: number
  readonly retry_seconds: readonly number[]
  readonly protocol: string
  readonly timed_out: boolean
  readonly blocked_until: Date | null
}

/**
 * The duration of a delivery and its settlement. A process that lost its lock may still be delivering for this long. If its callback were
 * taken over earlier, both would deliver it, and the late one after its successor.
 */
const deliverySeconds = limits.callback.timeoutMs / 1000 + 5

// A row behind another one is deferred until that one's next attempt: at least one second, so that it is not read over and over during a
// delivery, and at most ten minutes, which bounds the cost of a successor that was not made due. The join names both keys: one would do,
// but a query plan made while the table was nearly empty may use either index, and must not use the merchant's alone.
const claimDue = sql<ClaimRow, readonly [now: Date, limit: number, leaseSeconds: number, holder: Holder]>(
  'callback.claim',
  `with due as (
     select merchant_id, payment_id, sequence, id, url from callbacks
     where state = 'due' and next_at <= $1 and ${isFreeAfter(deliverySeconds, '$3')}
     order by next_at limit $2
     for update skip locked
   ), placed as materialized (
     select due.merchant_id, due.payment_id, due.sequence, due.id, due.url, (
       select earlier.next_at from callbacks earlier
       where earlier.merchant_id = due.merchant_id and earlier.payment_id = due.payment_id
         and earlier.sequence < due.sequence and earlier.next_at is not null
       order by earlier.sequence limit 1
     ) as behind from due
   )
   update callbacks c set
     lease_until = case when behind is null then clock_timestamp() + make_interval(secs => $3) end, leased_by = $4,
     next_at = case when behind is null then c.next_at
       else greatest(least(behind, $1 + interval '10 minutes'), $1 + interval '1 second') end
   from placed join payments p on p.merchant_id = placed.merchant_id and p.id = placed.payment_id
     left join callback_urls known on known.url = ${addressKeyOf('placed.url')}
   where c.merchant_id = placed.merchant_id and c.payment_id = placed.payment_id and c.sequence = placed.sequence
     and c.id = placed.id
   returning behind is null as claimed, c.merchant_id, c.payment_id, c.sequence, c.id, c.url, c.content_type, c.body,
     c.attempts, c.retry_seconds, p.protocol, coalesce(cardinality(known.timeouts) > 0 or known.blocked_until is not null, false) as timed_out,
     case when known.blocked_until > $1 then known.blocked_until end as blocked_until`,
)

function claimedFrom(row: ClaimRow): DueCallback {
  return {
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    sequence: row.sequence,
    id: row.id,
    url: row.url,
    contentType: row.content_type,
    body: row.body,
    attempts: row.attempts,
    retrySeconds: row.retry_seconds,
    protocol: row.protocol,
    blockedUntil: row.blocked_until,
    timedOut: row.timed_out,
  }
}

async function writeTogether(pool: Pool, settlements: readonly Settlement[]): Promise<void> {
  const ended = await query(pool, settleClaimed, settleParams(settlements))
  if (ended.length === 0) return
  await query(pool, bringForward, [
    ended.map((row) => row.merchant_id),
    ended.map((row) => row.payment_id),
    ended.map((row) => row.sequence),
    ended.map((row) => row.at),
  ])
}

/** A callback that has just ended. */
interface EndedRow {
  readonly merchant_id: string
  readonly payment_id: string
  readonly sequence: number
  readonly at: Date
}

const byPayment = (one: Settlement, other: Settlement): number =>
  one.callback.paymentId < other.callback.paymentId ? -1 : 1

interface Settlement {
  readonly callback: DueCallback
  readonly attempt: CallbackAttempt | null
  readonly next: CallbackNext
}

const resultColumns = `merchant_id, payment_id, sequence, attempts, state, counted, next_at, ended_at, at, duration_ms, http_status,
  answer, fault, acknowledged, id`

// A constraint ensures that a row is due exactly if it has `next_at`. The condition on `next_at` keeps the planner on the primary key;
// `state = 'due'` would lead it through the index of all due rows. Attempt numbers continue from earlier runs of the retry plan, because a
// resent callback starts a new run.
const settleClaimed = sql<EndedRow, ReturnType<typeof settleParams>>(
  'callback.settle',
  `with given as materialized (
     select ${resultColumns} from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::text[], $6::integer[], $7::timestamptz[],
       $8::timestamptz[], $9::timestamptz[], $10::integer[], $11::integer[], $12::text[], $13::text[], $14::boolean[], $15::uuid[])
     as given (${resultColumns})
   ), settled as (
     update callbacks c set state = given.state, attempts = c.attempts + given.counted, next_at = given.next_at,
       ended_at = given.ended_at, lease_until = null
     from given
     where c.merchant_id = given.merchant_id and c.payment_id = given.payment_id and c.sequence = given.sequence
       and c.id = given.id and c.attempts = given.attempts and c.next_at is not null and c.lease_until is not null
     returning given.merchant_id, given.payment_id, given.sequence, given.id, given.state, given.at, given.duration_ms,
       given.http_status, given.answer, given.fault, given.acknowledged
   ), attempt as (
     insert into callback_attempts (merchant_id, callback_id, attempt, at, duration_ms, http_status, answer, fault, acknowledged)
     select merchant_id, id, 1 + coalesce((
       select max(attempt) from callback_attempts earlier
       where earlier.merchant_id = settled.merchant_id and earlier.callback_id = settled.id
     ), 0), at, duration_ms, http_status, answer, fault, acknowledged
     from settled where at is not null
   )
   select merchant_id, payment_id, sequence, at from settled where state <> 'due' and at is not null`,
)

// A separate statement, because it must see rows written while the first one ran: a row that was deferred behind its predecessor meanwhile
// would otherwise stay deferred.
const bringForward = sql<
  Record<never, never>,
  readonly [
    merchantIds: readonly string[],
    paymentIds: readonly string[],
    sequences: readonly number[],
    at: readonly Date[],
  ]
>(
  'callback.bring-forward',
  `with ended as materialized (
     select ended.merchant_id, ended.payment_id, ended.sequence, ended.at
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[]) as ended (merchant_id, payment_id, sequence, at)
   ), follower as materialized (
     select ended.merchant_id, ended.payment_id, ended.at, later.sequence, later.id from ended, lateral (
       select sequence, id from callbacks
       where merchant_id = ended.merchant_id and payment_id = ended.payment_id and sequence > ended.sequence and next_at is not null
       order by sequence limit 1
     ) as later
   )
   update callbacks next set next_at = least(next.next_at, follower.at) from follower
   where next.merchant_id = follower.merchant_id and next.payment_id = follower.payment_id
     and next.sequence = follower.sequence and next.id = follower.id and next.next_at is not null`,
)

// biome-ignore format: the numbers are the statement's parameters.
function settleParams(settlements: readonly Settlement[]) {
  const each = <T>(read: (settlement: Settlement) => T): readonly T[] => settlements.map(read)
  return [
    /*  1 */ each(({ callback }) => callback.merchantId),
    /*  2 */ each(({ callback }) => callback.paymentId),
    /*  3 */ each(({ callback }) => callback.sequence),
    /*  4 */ each(({ callback }) => callback.attempts),
    /*  5 */ each(({ next }) => next.state),
    /*  6 */ each(({ next }) => (next.state === 'due' && !next.counts ? 0 : 1)),
    /*  7 */ each(({ next }) => (next.state === 'due' ? next.nextAt : null)),
    /*  8 */ each(({ next, attempt }) => (next.state === 'due' ? null : endOf(attempt))),
    /*  9 */ each(({ attempt }) => attempt?.at ?? null),
    /* 10 */ each(({ attempt }) => attempt?.durationMs ?? null),
    /* 11 */ each(({ attempt }) => attempt?.httpStatus ?? null),
    /* 12 */ each(({ attempt }) => attempt?.answer ?? null),
    /* 13 */ each(({ attempt }) => attempt?.fault ?? null),
    /* 14 */ each(({ attempt }) => attempt?.acknowledged ?? null),
    /* 15 */ each(({ callback }) => callback.id),
  ] as const
}

function endOf(attempt: CallbackAttempt | null): Date | null {
  return attempt && new Date(attempt.at.getTime() + attempt.durationMs)
}

interface BlockRow {
  readonly blocked_until: Date | null
}

// Nothing is counted during a block: a request that times out then was sent before it.
const countTimeout = sql<
  BlockRow,
  readonly [url: string, now: Date, most: number, windowMs: number, blockedMs: number, begunAt: Date]
>(
  'callback-url.count-timeout',
  `insert into callback_urls as known (url, timeouts) values ($1, array[$2::timestamptz])
   on conflict (url) do update set (timeouts, blocked_until) = (
     select case when full_up then '{}' else timeouts end, case when full_up then $2 + $5 * interval '1 ms' end
     from (select array(select at from unnest(known.timeouts) at where at > $2 - $4 * interval '1 ms') || $2) as recent (timeouts),
       lateral (select cardinality(timeouts) >= $3) as verdict (full_up)
   )
   where (known.blocked_until is null or known.blocked_until <= $2) and (known.unblocked_at is null or known.unblocked_at < $6)
   returning blocked_until`,
)

// An unblocked address keeps its row, because requests sent before may still time out after the first success.
const forgetTimeouts = sql<Record<never, never>, readonly [url: string]>(
  'callback-url.forget-timeouts',
  `with kept as (
     update callback_urls set timeouts = '{}' where url = $1 and blocked_until is null and unblocked_at is not null
   )
   delete from callback_urls where url = $1 and blocked_until is null and unblocked_at is null`,
)
