/** A problem of a live instance that must be fixed. Red: money, cards or records are at risk now. */
export interface LiveFinding {
  /** The id of the check. */
  readonly id: string
  readonly severity: 'red' | 'amber'
  readonly sentence: string
  readonly remedy: string
}
