/**
 * Transactions whose outcome is open, claimed for the reconciler.
 *
 * A process announces itself by an advisory lock of its own number, held by one connection for as long as it lives. A transaction
 * that is still `sent` by a number nobody holds was orphaned by a crash, and is asked about at once; all others wait for their time.
 */
import type { Unresolved } from '../ports.ts'
import { type TransactionRow, transactionColumns, transactionFrom } from './payment-rows.ts'
import { type Pool, query, sql } from './pool.ts'

/** The class of our advisory locks, so that numbers of other programs on the same database mean nothing here. */
export const processLockClass = 0x6761_7465

// Two looks, each by its own index: in one condition they would be combined, which reads every entry that vacuum has not removed yet.
// The question right after a crash comes before the plan and uses up none of it.
const claimDue = sql<TransactionRow, readonly [Date, number, number]>(
  'transaction.claim',
  `with alive as (
     select objid::int as number from pg_locks
     where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())
   ), asked as (
     select merchant_id, payment_id, id from transactions
     where ask_at <= $1 and (lease_until is null or lease_until < clock_timestamp())
     order by ask_at limit $2
     for update skip locked
   ), orphaned as (
     select merchant_id, payment_id, id from transactions
     where state = 'sent' and sent_by <> all (array(select number from alive))
       and (lease_until is null or lease_until < clock_timestamp())
     order by sent_by limit $2
     for update skip locked
   ), due as (
     select merchant_id, payment_id, id from asked union select merchant_id, payment_id, id from orphaned limit $2
   )
   update transactions t set asks = asks + (state <> 'sent')::int, lease_until = clock_timestamp() + make_interval(secs => $3)
   from due where t.merchant_id = due.merchant_id and t.payment_id = due.payment_id and t.id = due.id
   returning ${transactionColumns('t')}`,
)

// Whoever puts the question off has asked: a transaction that is no longer just sent is not asked about at once any more.
const postponeAsk = sql<Record<never, never>, readonly [string, string, string, Date | null]>(
  'transaction.postpone',
  `update transactions set ask_at = $4, lease_until = null, state = case state when 'sent' then 'undefined' else state end
   where merchant_id = $1 and payment_id = $2 and id = $3 and state in ('sent', 'waiting', 'undefined')`,
)

const countOpen = sql<{ count: bigint }, readonly []>(
  'transaction.count-open',
  "select count(*) from transactions where state in ('sent', 'waiting', 'undefined') and type not in ('3DS', 'REDIRECT')",
)

export const unresolvedCount = async (pool: Pool): Promise<number> =>
  Number((await query(pool, countOpen, []))[0]?.count ?? 0n)

export function unresolvedStore(pool: Pool): Unresolved {
  return {
    claim: async (now, limit, leaseSeconds) =>
      (await query(pool, claimDue, [now, limit, leaseSeconds])).map(transactionFrom),
    postpone: async ({ merchantId, paymentId, id }, askAt) => {
      await query(pool, postponeAsk, [merchantId, paymentId, id, askAt])
    },
  }
}
