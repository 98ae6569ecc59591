/** Cards whose outcome an acquirer's test host announces in its documentation. `gatehouse connector try` pays with them. Chapter 60 §4. */
export interface TestCard {
  readonly number: string
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly verificationCode: string
  /** Where the name on the card chooses the outcome. */
  readonly holder?: string
  /** In major units, where the amount chooses the outcome. */
  readonly amount?: string
}

export interface TestCards {
  readonly approved: TestCard
  /** Null if the acquirer has none. */
  readonly declined: TestCard | null
  /** Asks the payer to authenticate by the acquirer's own 3-D Secure. Null where the acquirer has no page of its own. */
  readonly authenticated: TestCard | null
}
