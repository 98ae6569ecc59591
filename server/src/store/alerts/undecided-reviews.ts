/** Payments that have been in review for long and were not announced yet. Chapter 70 §7. */
import type { UndecidedReview } from '../../contracts/risk-ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

/** With the index of the page Reviews. */
const listUndecided = sql<UndecidedReview, readonly [Date]>(
  'review.undecided',
  `select merchant_id as "merchantId", id, order_id as "orderId", currency, amount_decimals as "amountDecimals",
     authorised_minor as "authorisedMinor", created_at as "createdAt"
   from payments p
   where status = 'PENDING' and routing ? 'review' and not test and created_at <= $1
     and not exists (select 1 from payment_reviews r where r.merchant_id = p.merchant_id and r.payment_id = p.id)
   order by id limit 500`,
)
/** Resolved alerts count too: what a person has seen is not raised again. */
const listAnnounced = sql<{ payment_id: string }, readonly [string, readonly string[]]>(
  'review.announced',
  'select payment_id from alerts where kind = $1 and payment_id = any($2::uuid[])',
)

export const undecidedReviews =
  (on: Queryable, kind: string) =>
  async (before: Date): Promise<readonly UndecidedReview[]> => {
    const undecided = await query(on, listUndecided, [before])
    if (undecided.length === 0) return []
    const announced = await query(on, listAnnounced, [kind, undecided.map(({ id }) => id)])
    const known = new Set(announced.map((row) => row.payment_id))
    return undecided.filter(({ id }) => !known.has(id))
  }
