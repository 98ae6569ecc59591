/** Something about a live instance that must not stay as it is. Red: money, cards or records are at risk now. */
export interface LiveFinding {
  /** Of the check that found it. */
  readonly id: string
  readonly severity: 'red' | 'amber'
  readonly sentence: string
  readonly remedy: string
}
