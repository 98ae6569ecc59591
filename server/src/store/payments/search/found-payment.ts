/** What lists of payments show of each. */
import type { PaymentRecord } from '../../../contracts/records.ts'

export interface FoundPayment {
  readonly id: string
  readonly merchantId: string
  readonly protocol: string
  readonly action: string
  readonly kind: string
  readonly status: string
  readonly test: boolean
  readonly orderId: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly currency: string
  readonly authorisedMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly chargedBackMinor: bigint
  /** `YYYY-MM-DD` at the MID; null before the outcome. */
  readonly financialDay: string | null
  readonly declineReason: string | null
  readonly midId: string | null
  readonly cardMask: string | null
  readonly payerEmail: string | null
  readonly wallet: string | null
  readonly brand: string | null
  /** The number of the attempt in its cascade, from 1. */
  readonly attempt: number
  readonly cascading: PaymentRecord['cascading']
  readonly createdAt: Date
}

/** Columns of `p`. */
export const foundColumns = `p.id, p.merchant_id as "merchantId", p.protocol, p.action, p.kind, p.status, p.test, p.order_id as "orderId",
  p.amount_minor as "amountMinor", p.amount_decimals as "amountDecimals", p.currency, p.authorised_minor as "authorisedMinor",
  p.captured_minor as "capturedMinor", p.refunded_minor as "refundedMinor", p.charged_back_minor as "chargedBackMinor",
  p.financial_day::text as "financialDay", p.decline_reason as "declineReason",
  p.mid_id as "midId", p.card_mask as "cardMask", p.payer_email as "payerEmail", p.facts->'wallet'->>'name' as wallet,
  p.facts->'brand'->>'code' as brand, p.attempt, p.cascading, p.created_at as "createdAt"`
