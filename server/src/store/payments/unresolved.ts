/**
 * Transactions without an outcome, claimed for the reconciler.
 *
 * A process announces itself by an advisory lock on its number, held by one connection for as long as it lives. A transaction still `sent`
 * by a number that no process holds was orphaned by a crash, and is queried at once. If its sender lives, it is left alone for as long as
 * the request may be in flight. The database's clock alone measures that time: a worker's clock decides when to query again, never what may
 * be concluded from the answer.
 */

import { openStates } from '#domain/payment/payment.ts'
import type { UnresolvedTransaction, UnresolvedTransactions } from '../../contracts/ports.ts'
import { claim, claimRows } from '../database/buckets.ts'
import { literals } from '../database/columns.ts'
import { databaseNow, type Holder, isFreeIf, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'
import { type TransactionRow, transactionColumns, transactionFrom } from './payment-rows.ts'

interface ClaimedRow extends TransactionRow {
  sent_by: number | null
  send_mark: string | null
  in_flight_ms: number
  sent_ms_ago: number
}

/** For intents of a release that did not record how long a request may be in flight. */
const inFlightAtMost = "interval '10 minutes'"

// Two searches, each by its own index: combined in one condition they would read every entry that vacuum has not removed yet. The query
// right after a crash comes before the schedule of queries and does not count in it.
const claimDue = claim<ClaimedRow, readonly [Date, number, number, Holder]>('transaction.claim', {
  width: 4,
  due: "transactions where ask_at <= $1 or state = 'sent'",
  sender: 'sent_by',
  text: ({ inBucket, isGone }) => `with asked as (
     select merchant_id, payment_id, id from transactions
     where ask_at <= $1 and ${isFreeIf(isGone('leased_by'))}${inBucket()}
       and (state <> 'sent' or in_flight_until is null or in_flight_until < ${databaseNow})
     order by ask_at limit $2
     for update skip locked
   ), orphaned as (
     select merchant_id, payment_id, id from transactions
     where state = 'sent' and ${isGone('sent_by')} and ${isFreeIf(isGone('leased_by'))}${inBucket()}
     order by sent_by limit $2
     for update skip locked
   ), due as (
     select merchant_id, payment_id, id from asked union select merchant_id, payment_id, id from orphaned limit $2
   ), claimed as (
     update transactions t set asks = asks + (state <> 'sent')::int, ${lease('$3', '$4')}
     from due where t.merchant_id = due.merchant_id and t.payment_id = due.payment_id and t.id = due.id${inBucket('t')}
     returning ${transactionColumns('t')}, t.sent_by, t.sent_at, t.in_flight_until
   )
   select ${transactionColumns('t')}, t.sent_by, t.in_flight_until::text as send_mark,
     (1000 * extract(epoch from coalesce(t.in_flight_until, coalesce(t.sent_at, t.created_at) + ${inFlightAtMost}) - clock_timestamp()))::float8
       as in_flight_ms,
     (1000 * extract(epoch from clock_timestamp() - coalesce(t.sent_at, t.created_at)))::float8 as sent_ms_ago
   from claimed t`,
})

// Postponing means that the acquirer was queried: a transaction that is no longer just `sent` is not queried at once any more.
const postponeAsk = sql<Record<never, never>, readonly [string, string, string, Date | null]>(
  'transaction.postpone',
  `update transactions set ask_at = $4, lease_until = null, state = case state when 'sent' then 'undefined' else state end
   where merchant_id = $1 and payment_id = $2 and id = $3 and state in (${literals(openStates)})`,
)

// If two processes believe that they hold the lease, only one sends: the mark of the last send is compared and replaced. The mark is the
// time as text, because a time in the program has no microseconds.
const beginSend = sql<
  { id: string },
  readonly [string, string, string, sentBy: number | null, mark: string | null, by: number, inFlightMs: number]
>(
  'transaction.send',
  `update transactions set sent_by = $6, in_flight_until = ${databaseNow} + make_interval(secs => $7::float8 / 1000)
   where merchant_id = $1 and payment_id = $2 and id = $3 and state in (${literals(openStates)})
     and sent_by is not distinct from $4 and in_flight_until is not distinct from $5::timestamptz
   returning id`,
)

export function unresolvedStore(pool: Pool, holder: Holder = null): UnresolvedTransactions {
  return {
    claim: async (now, limit, leaseSeconds) =>
      (await claimRows(pool, claimDue, { now, limit }, (most) => [now, most, leaseSeconds, holder])).map(
        unresolvedFrom,
      ),
    postpone: async ({ merchantId, paymentId, id }, askAt) => {
      await query(pool, postponeAsk, [merchantId, paymentId, id, askAt])
    },
    stopAsking: async ({ merchantId, paymentId, id }) => {
      await query(pool, postponeAsk, [merchantId, paymentId, id, null])
    },
    beginSend: async ({ transaction: { merchantId, paymentId, id }, lastSend }, { sentBy, inFlightMs }) => {
      const params = [merchantId, paymentId, id, lastSend.by, lastSend.mark, sentBy, inFlightMs] as const
      return (await query(pool, beginSend, params)).length === 1
    },
  }
}

const unresolvedFrom = (row: ClaimedRow): UnresolvedTransaction => ({
  transaction: transactionFrom(row),
  lastSend: { by: row.sent_by, mark: row.send_mark },
  inFlightMs: row.in_flight_ms,
  sentMsAgo: row.sent_ms_ago,
})
