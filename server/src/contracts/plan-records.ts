/** What the store keeps of recurring payments: chains, schedules, and the plans that put one on the other. Chapter 10 §9, chapter 50 §1. */
import type { Mode } from '#domain/merchant.ts'
import type { Grid, Plan, Schedule } from '#domain/schedule/schedule.ts'

/** The plan that a payment asks for, as sent, and its first date once it is known. */
export interface ScheduleWish {
  readonly id: string
  readonly startDate: string | null
  readonly amount: string | null
  readonly firstDate: string | null
}

/** A recurring chain, begun by the payment that asked for it once that succeeded. */
export interface ChainRecord {
  readonly merchantId: string
  /** Also the `recurring_token`. */
  readonly id: string
  readonly firstPayment: string
  readonly kind: 'sale' | 'debit'
  readonly networkTransactionId: string | null
}

/** A schedule as it is kept. A deleted one is not found any more. */
export interface ScheduleRecord extends Schedule {
  readonly merchantId: string
  readonly mode: Mode
  readonly id: string
  /** Raised by every change: what was planned by an older one is not written. */
  readonly version: number
}

export type PlanEndReason =
  | 'completed'
  | 'hard decline'
  | 'chargeback'
  | 'descheduled'
  | 'replaced'
  | 'schedule deleted'

/** A plan: a chain on a schedule. */
export interface SubscriptionRecord {
  readonly merchantId: string
  readonly id: string
  readonly chainId: string
  readonly scheduleId: string
  readonly version: number
  readonly state: 'running' | 'ended'
  readonly endedReason: PlanEndReason | null
  readonly grid: Grid
  /** `HH:MM:SS` in the merchant's zone, at which the initiating payment succeeded and the plan's payments go. */
  readonly timeOfDay: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly plan: Plan
  readonly nextDate: string | null
  /** Null while the schedule is paused. */
  readonly nextAt: Date | null
  readonly startedBy: string
  readonly lastPayment: string | null
  readonly createdAt: Date
}

/** A command that the service gives by itself when its time has come. */
export interface DeferredCommand {
  readonly merchantId: string
  readonly paymentId: string
  /** EXPIRE ends a debit that was calculated and not completed. */
  readonly command: 'CAPTURE' | 'RETRY' | 'EXPIRE'
  readonly dueAt: Date
}

/** What an outcome brings about besides the payment's own change. */
export interface Consequences {
  readonly chain: ChainRecord | null
  /** A plan that begins and replaces the chain's former one; the schedule as read guards the whole write. */
  readonly plan: { readonly subscription: SubscriptionRecord; readonly schedule: ScheduleRecord } | null
  readonly endsPlan: PlanEnd | null
  readonly deferred: DeferredCommand | null
}

/** The plan that a payment belongs to, or the one its chain runs on. */
export interface PlanEnd {
  readonly of: 'subscription' | 'chain'
  readonly id: string
  readonly reason: PlanEndReason
}
