/** Payments of the last days, newest first and in pages, for a replay of routing. Chapter 50 §3, rule 5. */
import type { PaymentRecord } from '../../contracts/records.ts'
import { latePaymentIdsFrom } from '../database/id-bounds.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { type PaymentRow, paymentColumns, paymentFrom } from './payment-rows.ts'

interface StoredPaymentPage {
  /** Null for all merchants. */
  readonly merchantId: string | null
  readonly since: Date
  /** The last payment of the previous page. */
  readonly before: string | null
  readonly limit: number
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Only the first attempt of a cascade: routing rules did not decide the later ones. */
const storedPayments = sql<
  PaymentRow & { chain_mid_id: string | null },
  readonly [string | null, Date, string, number, string]
>(
  'payment.stored',
  `select ${paymentColumns('p')}, f.mid_id as chain_mid_id from payments p
   left join payments f on p.recurring and f.merchant_id = p.merchant_id and f.id = (p.facts->>'recurringFirst')::uuid
   where ($1::uuid is null or p.merchant_id = $1) and p.created_at >= $2 and p.id >= $5 and p.id < $3 and p.attempt = 1
   order by p.id desc limit $4`,
)

export async function listStoredPayments(
  on: Queryable,
  { merchantId, since, before, limit }: StoredPaymentPage,
): Promise<readonly { readonly payment: PaymentRecord; readonly chainMidId: string | null }[]> {
  const rows = await query(on, storedPayments, [merchantId, since, before ?? lastId, limit, latePaymentIdsFrom(since)])
  return rows.map((row) => ({ payment: paymentFrom(row), chainMidId: row.chain_mid_id }))
}
