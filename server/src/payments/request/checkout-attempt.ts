import type { StoredFacts } from '../../contracts/records.ts'

/** An attempt on a Checkout session. Chapter 30 §3.1, §6.2. */
export interface CheckoutAttempt {
  /** The session as it was read; null for a payout that needs no page. */
  readonly session: { readonly id: string; readonly version: number } | null
  /** The id that the session reserves for its first payment; null for later ones. */
  readonly paymentId: string | null
  readonly facts: Pick<StoredFacts, 'amountAsSent' | 'vatMinor' | 'consent' | 'browser' | 'payerUntil'>
}
