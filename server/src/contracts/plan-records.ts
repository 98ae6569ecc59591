/** The records of recurring payments: chains, schedules, and plans, which charge a chain on a schedule. Chapter 10 §9, chapter 50 §1. */
import type { Mode } from '#domain/merchant.ts'
import type { PlanProgress, PlanStart, Schedule } from '#domain/schedule/schedule.ts'

/** The plan that a payment requests, as sent, and its first charge date once that is known. */
export interface ScheduleRequest {
  readonly id: string
  readonly startDate: string | null
  readonly amount: string | null
  readonly firstDate: string | null
}

/** A recurring chain. It begins when the payment that requested it succeeds. */
export interface ChainRecord {
  readonly merchantId: string
  /** Also the `recurring_token`. */
  readonly id: string
  readonly firstPayment: string
  readonly kind: 'sale' | 'debit'
  readonly networkTransactionId: string | null
}

/** A stored schedule. A deleted schedule is no longer found. */
export interface ScheduleRecord extends Schedule {
  readonly merchantId: string
  readonly mode: Mode
  readonly id: string
  /** Raised by every change, so that a plan computed from an older version is not written. */
  readonly version: number
}

export type PlanEndReason =
  | 'completed'
  | 'hard decline'
  | 'chargeback'
  | 'descheduled'
  | 'replaced'
  | 'schedule deleted'

/** A plan: a chain on a schedule. Its table is `subscriptions`. */
export interface PlanRecord {
  readonly merchantId: string
  readonly id: string
  readonly chainId: string
  readonly scheduleId: string
  readonly version: number
  readonly state: 'running' | 'ended'
  readonly endedReason: PlanEndReason | null
  readonly start: PlanStart
  /** `HH:MM:SS` in the merchant's time zone: when the initiating payment succeeded, and when the plan's payments are made. */
  readonly timeOfDay: string
  readonly amountMinor: bigint
  readonly amountDecimals: number
  readonly progress: PlanProgress
  readonly nextDate: string | null
  /** Null while the schedule is paused. */
  readonly nextAt: Date | null
  readonly startedBy: string
  readonly lastPayment: string | null
  readonly createdAt: Date
}

/** A command that the service issues by itself at a later time. */
export interface DeferredCommand {
  readonly merchantId: string
  readonly paymentId: string
  /** EXPIRE ends a debit that was calculated but never completed. */
  readonly command: 'CAPTURE' | 'RETRY' | 'EXPIRE'
  readonly dueAt: Date
}

/** What an outcome changes beyond the payment itself. */
export interface Consequences {
  readonly chain: ChainRecord | null
  /** A plan that begins, replacing the chain's previous one. The write fails if the schedule has changed since it was read. */
  readonly plan: { readonly subscription: PlanRecord; readonly schedule: ScheduleRecord } | null
  readonly endsPlan: PlanEnd | null
  readonly deferred: DeferredCommand | null
}

/** Names the plan to end: by its own id, or as the plan that a chain runs on. */
export interface PlanEnd {
  readonly of: 'subscription' | 'chain'
  readonly id: string
  readonly reason: PlanEndReason
}
