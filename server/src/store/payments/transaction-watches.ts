/** Watched transactions: written off as never executed, or decided by hand. The row is written with that end; see `outcomes.ts`. */
import type { TransactionWatches, WatchedTransaction } from '../../contracts/ports.ts'
import { claim, claimRows } from '../database/buckets.ts'
import { type Holder, isFreeIf, lease } from '../database/lease.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface Row {
  merchant_id: string
  payment_id: string
  transaction_id: string
  asks: number
}

const claimDue = claim<Row, readonly [Date, number, number, Holder]>('transaction-watch.claim', {
  width: 4,
  due: 'transaction_watches where next_at <= $1',
  text: ({ inBucket, isGone }) => `with due as (
     select merchant_id, payment_id, transaction_id from transaction_watches
     where next_at <= $1 and ${isFreeIf(isGone('leased_by'))}${inBucket()}
     order by next_at limit $2
     for update skip locked
   )
   update transaction_watches watch set asks = asks + 1, ${lease('$3', '$4')}
   from due
   where watch.merchant_id = due.merchant_id and watch.payment_id = due.payment_id and watch.transaction_id = due.transaction_id${inBucket('watch')}
   returning watch.merchant_id, watch.payment_id, watch.transaction_id, watch.asks`,
})

type WatchKey = readonly [string, string, string]

const postponeWatch = sql<Record<never, never>, readonly [...WatchKey, Date]>(
  'transaction-watch.postpone',
  `update transaction_watches set next_at = $4, lease_until = null
   where merchant_id = $1 and payment_id = $2 and transaction_id = $3`,
)

const dropWatch = sql<Record<never, never>, WatchKey>(
  'transaction-watch.drop',
  'delete from transaction_watches where merchant_id = $1 and payment_id = $2 and transaction_id = $3',
)

export const transactionWatchStore = (pool: Pool, holder: Holder = null): TransactionWatches => ({
  claim: async (now, limit, leaseSeconds) =>
    (await claimRows(pool, claimDue, { now, limit }, (most) => [now, most, leaseSeconds, holder])).map(watchFrom),
  postpone: async ({ merchantId, paymentId, transactionId }, nextAt) => {
    await query(pool, postponeWatch, [merchantId, paymentId, transactionId, nextAt])
  },
  drop: async ({ merchantId, paymentId, transactionId }) => {
    await query(pool, dropWatch, [merchantId, paymentId, transactionId])
  },
})

const watchFrom = (row: Row): WatchedTransaction => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  transactionId: row.transaction_id,
  asks: row.asks,
})
