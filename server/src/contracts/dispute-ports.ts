/** Disputes as the command that records a chargeback, and the worker that warns of deadlines, use them. Chapter 70 §4. */
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

export interface Disputes {
  /** Once: a dispute that exists is not changed. */
  open(dispute: OpenedDispute): Promise<void>
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
