/** Payments held for review, and the decisions about them. Chapter 70 §7. */
import type { Mode } from '#domain/merchant.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { ReviewDecision, Reviews } from '../../contracts/risk-ports.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

const findDecision = sql<{ decision: ReviewDecision }, readonly [string, string]>(
  'review.find',
  'select decision from payment_reviews where merchant_id = $1 and payment_id = $2',
)
const decideReview = sql<{ decision: ReviewDecision }, readonly [string, string, string, string, string, Date]>(
  'review.decide',
  `insert into payment_reviews (merchant_id, payment_id, decision, reason, decided_by, decided_at) values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing returning decision`,
)

export interface WaitingReview {
  readonly merchantId: string
  readonly id: string
  readonly orderId: string
  readonly currency: string
  readonly amountDecimals: number
  readonly authorisedMinor: bigint
  readonly payerEmail: string | null
  readonly midId: string | null
  readonly reason: string
  readonly rule: string
  readonly createdAt: Date
}

/** Oldest first. A rejected payment is listed until its hold is released; an accepted one is in the capture queue until it is captured. */
const listWaiting = sql<WaitingReview, readonly [readonly string[] | null, boolean, string, number]>(
  'review.list',
  `select merchant_id as "merchantId", id, order_id as "orderId", currency, amount_decimals as "amountDecimals",
     authorised_minor as "authorisedMinor", payer_email as "payerEmail", mid_id as "midId", created_at as "createdAt",
     routing -> 'review' ->> 'reason' as reason, routing -> 'review' -> 'rule' ->> 'name' as rule
   from payments p
   where status = 'PENDING' and routing ? 'review' and ($1::uuid[] is null or merchant_id = any($1)) and test = $2 and id > $3
     and not exists (select 1 from payment_reviews r where r.merchant_id = p.merchant_id and r.payment_id = p.id and r.decision = 'accepted')
   order by id limit $4`,
)

interface WrittenDecision {
  readonly decision: ReviewDecision
  readonly reason: string
  readonly by: string
  readonly at: Date
}

export const reviewStore = (on: Queryable) => ({
  findDecision: (async ({ merchantId, id }) =>
    (await query(on, findDecision, [merchantId, id]))[0]?.decision ?? null) satisfies Reviews['findDecision'],
  /** False if it was decided before. */
  decide: async (
    { merchantId, id }: Pick<PaymentRecord, 'merchantId' | 'id'>,
    { decision, reason, by, at }: WrittenDecision,
  ): Promise<boolean> => (await query(on, decideReview, [merchantId, id, decision, reason, by, at])).length === 1,
  listWaiting: (merchantIds: readonly string[] | null, mode: Mode, after: string, limit: number) =>
    query(on, listWaiting, [merchantIds, mode === 'test', after, limit]),
})
