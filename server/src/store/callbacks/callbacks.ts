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
import type { CallbackRows, DueCallback } from '../../contracts/ports.ts'
import { claim, claimRows, isDistributed } from '../database/buckets.ts'
import { inGroups } from '../database/in-groups.ts'
import { databaseNow, type Holder, isFreeAfter } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { addressKeyOf } from './callback-address.ts'
import { byPayment, type CallbackResult, writeResults } from './callback-results.ts'

/** A claim that found rows behind undelivered ones looks again at once, up to this many times. */
const looksPerClaim = 8

/** No more than a worker delivers at once. */
const mostTogether = 64

export function callbackRows(pool: Pool, holder: Holder = null): CallbackRows {
  const settle = inGroups<CallbackResult, boolean>({
    runAlone: async (result) => (await writeResults(pool, [result])).has(result.callback.paymentId),
    runTogether: async (results) => {
      // All workers write in the same order, so that two workers with overlapping leases cannot deadlock.
      const continued = await writeResults(pool, results.toSorted(byPayment))
      return ({ callback }) => continued.has(callback.paymentId)
    },
    // Callbacks of one payment are written one after another, because each brings its successor forward and must be stored by then.
    apart: ({ callback }) => callback.paymentId,
    most: mostTogether,
    patienceMs: ({ othersUnderWay }) => (othersUnderWay ? limits.callback.gatherMs : 0),
  })
  return {
    async claim(now, limit, leaseSeconds) {
      const claimed: DueCallback[] = []
      for (let look = 0; look < looksPerClaim; look += 1) {
        const wanted = limit - claimed.length
        const rows = await claimRows(pool, claimDue, { now, limit: wanted }, (most) => [
          now,
          most,
          leaseSeconds,
          holder,
        ])
        for (const row of rows) if (row.claimed) claimed.push(claimedFrom(row))
        if (rows.length < wanted || claimed.length === limit) break
      }
      return (await isDistributed(pool)) ? withBlocks(pool, claimed, now) : claimed
    },

    settle: (callback, attempt, next, othersUnderWay = false) => settle({ callback, attempt, next, othersUnderWay }),

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

const blockColumns = `coalesce(cardinality(known.timeouts) > 0 or known.blocked_until is not null, false) as timed_out,
     case when known.blocked_until > $1 then known.blocked_until end as blocked_until`

// A row behind another one is deferred until that one's next attempt: at least one second, so that it is not read over and over during a
// delivery, and at most ten minutes, which bounds the cost of a successor that was not made due. The join names both keys: one would do,
// but a query plan made while the table was nearly empty may use either index, and must not use the merchant's alone.
// In a distributed database the addresses are on the coordinator and are read by a statement of their own.
const claimDue = claim<ClaimRow, readonly [now: Date, limit: number, leaseSeconds: number, holder: Holder]>(
  'callback.claim',
  {
    width: 4,
    due: "callbacks where state = 'due' and next_at <= $1",
    text: ({ isBucket, inBucket, isGone }) => `with due as (
     select merchant_id, payment_id, sequence, id, url from callbacks
     where state = 'due' and next_at <= $1 and ${isFreeAfter(deliverySeconds, '$3', isGone('leased_by'))}${inBucket()}
     order by next_at limit $2
     for update skip locked
   ), placed as materialized (
     select due.merchant_id, due.payment_id, due.sequence, due.id, due.url, (
       select earlier.next_at from callbacks earlier
       where earlier.merchant_id = due.merchant_id and earlier.payment_id = due.payment_id
         and earlier.sequence < due.sequence and earlier.next_at is not null${inBucket('earlier')}
       order by earlier.sequence limit 1
     ) as behind from due
   ), timed as materialized (
     select placed.merchant_id, placed.payment_id, placed.sequence, placed.id, placed.url, behind,
       case when behind is null then ${databaseNow} + make_interval(secs => $3) end as lease_until,
       greatest(least(behind, $1 + interval '10 minutes'), $1 + interval '1 second') as until
     from placed
   )
   update callbacks c set lease_until = timed.lease_until, leased_by = $4,
     next_at = case when behind is null then c.next_at else timed.until end
   from timed join payments p on p.merchant_id = timed.merchant_id and p.id = timed.payment_id${inBucket('p')}
     ${isBucket ? '' : `left join callback_urls known on known.url = ${addressKeyOf('timed.url')}`}
   where c.merchant_id = timed.merchant_id and c.payment_id = timed.payment_id and c.sequence = timed.sequence
     and c.id = timed.id${inBucket('c')}
   returning behind is null as claimed, c.merchant_id, c.payment_id, c.sequence, c.id, c.url, c.content_type, c.body,
     c.attempts, c.retry_seconds, p.protocol, ${isBucket ? 'false as timed_out, null::timestamptz as blocked_until' : blockColumns}`,
  },
)

/** What became of earlier deliveries to the addresses of claimed callbacks. */
const readBlocks = sql<
  { url: string; timed_out: boolean; blocked_until: Date | null },
  readonly [readonly string[], Date]
>(
  'callback-url.of-claimed',
  `select known.url, true as timed_out, case when known.blocked_until > $2 then known.blocked_until end as blocked_until
   from callback_urls known
   where known.url = any($1) and (cardinality(known.timeouts) > 0 or known.blocked_until is not null)`,
)

async function withBlocks(pool: Pool, claimed: readonly DueCallback[], now: Date): Promise<readonly DueCallback[]> {
  if (claimed.length === 0) return claimed
  const rows = await query(pool, readBlocks, [claimed.map(({ url }) => addressKey(url)), now])
  const blocks = new Map(rows.map((row) => [row.url, row]))
  return claimed.map((callback) => {
    const block = blocks.get(addressKey(callback.url))
    return block ? { ...callback, timedOut: block.timed_out, blockedUntil: block.blocked_until } : callback
  })
}

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
