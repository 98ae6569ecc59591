/** Disputes as the commands that record acquirers' reports, and the worker that warns of deadlines, use them. Chapter 70 §4. */
import type { DisputeStage } from '#domain/dispute/dispute.ts'
import type { Entry } from '#domain/money/ledger.ts'
import type { PaymentRecord } from './records.ts'

export interface OpenedDispute {
  readonly merchantId: string
  /** The id of its CHARGEBACK transaction. */
  readonly id: string
  readonly paymentId: string
  readonly midId: string
  readonly reference: string
  readonly reasonCode: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly amountDecimals: number
  readonly network: string | null
  readonly openedAt: Date
}

/** As later reports about it find it. */
export interface KnownDispute extends Pick<OpenedDispute, 'merchantId' | 'id' | 'reference' | 'amountMinor'> {
  readonly stage: DisputeStage
  /** When its money came back; null if it did not. */
  readonly returnedAt: Date | null
}

/** What the acquirer says of a dispute; null is unchanged. */
export interface DisputeReport {
  readonly stage: 'pre-arbitration' | 'won' | 'lost' | null
  /** `YYYY-MM-DD`. */
  readonly dueOn: string | null
  /** By the acquirer's clock: reports may arrive in another order. */
  readonly reportedAt: Date
  readonly at: Date
}

/** The money of a chargeback that came back, guarded by the version of the payment. */
export interface ReturnedChargeback {
  readonly before: PaymentRecord
  readonly after: PaymentRecord
  readonly disputeId: string
  /** Whether the dispute is won by it; otherwise a report of its own says so, and the issuer may still object. */
  readonly isWon: boolean
  readonly entry: Entry
  readonly at: Date
}

export interface Disputes {
  /** Once: a dispute that exists is not changed. */
  open(dispute: OpenedDispute): Promise<void>
  /** Oldest first. */
  ofPayment(merchantId: string, paymentId: string): Promise<readonly KnownDispute[]>
  /** Changes nothing if a later report was entered before; a dispute that was won or lost is changed only by another decision. */
  report(dispute: Pick<KnownDispute, 'merchantId' | 'id'>, report: DisputeReport): Promise<void>
  /** Payment, ledger and dispute change together. False if the payment changed meanwhile, the money came back before, or the dispute is decided. */
  returnMoney(returned: ReturnedChargeback): Promise<boolean>
}

export interface DueDispute extends Omit<OpenedDispute, 'openedAt'> {
  /** `YYYY-MM-DD`. */
  readonly dueOn: string | null
  /** The last warning, in days before the deadline. */
  readonly warnedDays: number | null
}

export interface DisputeDeadlines {
  /** Unanswered disputes whose deadline is within a week of the day. */
  dueSoon(today: string): Promise<readonly DueDispute[]>
  warned(dispute: Pick<DueDispute, 'merchantId' | 'id'>, days: number): Promise<void>
}
