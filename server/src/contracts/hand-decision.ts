/** What two people decided about a transaction because its acquirer did not report it. Chapter 70 §1. */
export interface HandDecision {
  readonly decision: 'executed' | 'not-executed' | 'given-back'
  /** The approval by which the second person agreed. */
  readonly approvalId: string
  readonly reason: string
  /** What the decision is based on, such as the acquirer's mail or a line of its report. */
  readonly evidence: string
  /** The acquirer's date of the transaction, `YYYY-MM-DD`. Null if nothing was executed. */
  readonly date: string | null
}
