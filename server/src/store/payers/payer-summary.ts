/** What is known of a payer at a merchant: payments with the same e-mail address or card, and what belongs to them. Chapter 70 §5. */
import type { Mode } from '#domain/merchant.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

interface PayerSum {
  readonly currency: string
  readonly amountDecimals: number
  readonly payments: number
  readonly declined: number
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  readonly firstAt: Date
  readonly lastAt: Date
}

interface PayerCard {
  readonly id: string
  readonly bin: string
  readonly lastFour: string
  readonly network: string | null
  readonly expiryMonth: number | null
  readonly expiryYear: number | null
  /** The merchant can charge it by a token. */
  readonly isSaved: boolean
}

interface PayerPlan {
  readonly id: string
  readonly state: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly nextDate: string | null
  readonly startedBy: string
  readonly orderId: string
}

interface PayerDispute {
  readonly id: string
  readonly paymentId: string
  readonly orderId: string
  readonly stage: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly openedAt: Date
}

export interface PayerSummary {
  readonly sums: readonly PayerSum[]
  readonly cards: readonly PayerCard[]
  readonly plans: readonly PayerPlan[]
  readonly disputes: readonly PayerDispute[]
}

type Found = { readonly id: string }

const ofEmail = sql<Found, readonly [string, string, boolean, number]>(
  'payer.of-email',
  `select id from payments
   where payer_email is not null and lower(payer_email) = lower($2) and merchant_id = $1 and test = $3 order by id desc limit $4`,
)
const ofCard = sql<Found, readonly [string, string, boolean, number]>(
  'payer.of-card',
  `select p.id from cards card join payments p on p.merchant_id = card.merchant_id and p.card_id = card.id
     and right(p.card_mask, 4) = card.last_four and p.card_mask = card.bin || repeat('*', card.pan_length - length(card.bin || card.last_four)) || card.last_four
   where card.merchant_id = $1 and card.id = $2 and p.test = $3 order by p.id desc limit $4`,
)

interface PayerKey {
  readonly merchantId: string
  readonly mode: Mode
  readonly by: { readonly kind: 'email'; readonly email: string } | { readonly kind: 'card'; readonly cardId: string }
}

/** The newest payments of the payer. */
export async function listNewestOfPayer(
  on: Queryable,
  { merchantId, mode, by }: PayerKey,
  limit: number,
): Promise<readonly string[]> {
  const rows =
    by.kind === 'email'
      ? await query(on, ofEmail, [merchantId, by.email, mode === 'test', limit])
      : await query(on, ofCard, [merchantId, by.cardId, mode === 'test', limit])
  return rows.map(({ id }) => id)
}

type Ids = readonly [string, readonly string[]]

const sumPayments = sql<PayerSum, Ids>(
  'payer.sums',
  `select currency, amount_decimals as "amountDecimals", count(*)::int as payments,
     (count(*) filter (where status = 'DECLINED'))::int as declined, sum(captured_minor)::bigint as "capturedMinor",
     sum(refunded_minor)::bigint as "refundedMinor", sum(charged_back_minor)::bigint as "chargedBackMinor",
     min(created_at) as "firstAt", max(created_at) as "lastAt"
   from payments where merchant_id = $1 and id = any($2::uuid[])
   group by currency, amount_decimals order by count(*) desc, currency`,
)
const listCards = sql<PayerCard, Ids>(
  'payer.cards',
  `select distinct card.id, card.bin, card.last_four as "lastFour", card.network, card.expiry_month as "expiryMonth",
     card.expiry_year as "expiryYear",
     exists (select 1 from card_tokens token where token.merchant_id = $1 and token.card_id = card.id) as "isSaved"
   from payments p join cards card on card.merchant_id = p.merchant_id and card.id = p.card_id
   where p.merchant_id = $1 and p.id = any($2::uuid[]) order by card.id desc limit 100`,
)
const listPlans = sql<PayerPlan, Ids>(
  'payer.plans',
  `select plan.id, plan.state, plan.amount_minor as "amountMinor", plan.amount_decimals as "amountDecimals", p.currency,
     plan.next_date::text as "nextDate", plan.started_by as "startedBy", p.order_id as "orderId"
   from payments p join subscriptions plan on plan.merchant_id = p.merchant_id and plan.started_by = p.id
   where p.merchant_id = $1 and p.id = any($2::uuid[]) order by plan.id desc limit 100`,
)
const listDisputes = sql<PayerDispute, Ids>(
  'payer.disputes',
  `select d.id, d.payment_id as "paymentId", p.order_id as "orderId", d.stage, d.amount_minor as "amountMinor",
     d.amount_decimals as "amountDecimals", d.currency, d.opened_at as "openedAt"
   from payments p join disputes d on d.merchant_id = p.merchant_id and d.payment_id = p.id
   where p.merchant_id = $1 and p.id = any($2::uuid[]) order by d.opened_at desc limit 100`,
)

export async function readPayerSummary(
  on: Queryable,
  merchantId: string,
  payments: readonly string[],
): Promise<PayerSummary> {
  const named = [merchantId, payments] as const
  return {
    sums: await query(on, sumPayments, named),
    cards: await query(on, listCards, named),
    plans: await query(on, listPlans, named),
    disputes: await query(on, listDisputes, named),
  }
}
