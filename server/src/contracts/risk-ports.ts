/** Risk lists, velocity and reviews as payments need them. Chapter 70 §7. */
import type { RiskKey, RiskKind, RiskList } from '#domain/risk/risk-entry.ts'
import type { PaymentRecord } from './records.ts'

interface ListedEntry {
  readonly list: RiskList
  readonly kind: RiskKind
  readonly reason: string
}

/** One row of counted payments. */
export interface VelocityCounter {
  /** A merchant, or the platform. */
  readonly scope: string
  /** A keyed fingerprint. */
  readonly subject: string
  /** Null counts payments; otherwise amounts of this currency. */
  readonly currency: string | null
}

export interface CountedPayment {
  readonly at: Date
  readonly amountMinor: bigint
}

export interface RiskRecords {
  /** The entries in force that name a payment, of the merchant and of the platform. */
  findListed(merchantId: string, keys: readonly RiskKey[], at: Date): Promise<readonly ListedEntry[]>
  /** Adds the payment to each counter, and returns what each holds since then, in the same order; concurrent payments see each other. */
  count(
    counters: readonly VelocityCounter[],
    payment: CountedPayment,
    since: Date,
  ): Promise<readonly (readonly CountedPayment[])[]>
  /** What the counters hold, without adding anything. */
  readCounters(counters: readonly VelocityCounter[], since: Date): Promise<readonly (readonly CountedPayment[])[]>
}

/** What people decided about payments that a rule holds for review. */
export type ReviewDecision = 'accepted' | 'rejected'

export interface Reviews {
  /** Null until it is decided. */
  findDecision(payment: Pick<PaymentRecord, 'merchantId' | 'id'>): Promise<ReviewDecision | null>
}

/** A payment in review without a decision. */
export interface UndecidedReview {
  readonly merchantId: string
  readonly id: string
  readonly orderId: string
  readonly currency: string
  readonly amountDecimals: number
  readonly authorisedMinor: bigint
  readonly createdAt: Date
}
