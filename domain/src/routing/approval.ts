/** What acquirers answered lately, and how a preference for the better one orders MIDs. Chapter 50 §4. */

/** Counts of final answers: what was approved, and what was declined for reasons that the choice of a MID may change. */
export interface Tally {
  readonly approved: number
  readonly declined: number
}

/** Approval rates are compared within one cell, since a MID that is good for one network may be poor for another. */
export interface Cell {
  readonly network: string | null
  readonly country: string | null
  readonly currency: string
}

export interface ApprovalPreference {
  readonly method: 'thompson' | 'epsilon-greedy'
  readonly windowMinutes: number
  /** The share of payments that explores whatever is known, above 0 and at most 0.5. */
  readonly exploration: number
}

export type Health = 'closed' | 'open' | 'half-open'
