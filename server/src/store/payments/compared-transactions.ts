/** Our transactions for a comparison with an acquirer's record, by the payments that the acquirer names. */
import { type Queryable, query, sql } from '../database/pool.ts'

export interface ComparedTransaction {
  readonly merchantId: string
  readonly paymentId: string
  readonly id: string
  readonly type: string
  readonly state: string
  readonly amountMinor: bigint
  readonly endedAt: Date | null
}

const ofPayments = sql<ComparedTransaction, readonly [readonly string[], readonly string[] | null]>(
  'transaction.of-payments',
  `select t.merchant_id as "merchantId", t.payment_id as "paymentId", t.id, t.type, t.state, t.amount_minor as "amountMinor",
     t.ended_at as "endedAt"
   from payments p join transactions t on t.merchant_id = p.merchant_id and t.payment_id = p.id
   where p.id = any($1::uuid[]) and ($2::uuid[] is null or p.merchant_id = any($2))`,
)

/** `merchantIds` null means all merchants. */
export const listComparedTransactions = (
  on: Queryable,
  paymentIds: readonly string[],
  merchantIds: readonly string[] | null,
): Promise<readonly ComparedTransaction[]> => query(on, ofPayments, [paymentIds, merchantIds])
