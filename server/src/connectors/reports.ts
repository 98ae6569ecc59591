/** What an acquirer reports of itself: events that we did not ask for, and its own record of what it executed. */

/** What happened at the acquirer without our asking. `reference` is its own name of the event, which counts once. */
export type AcquirerEvent =
  | {
      readonly kind: 'chargeback'
      readonly reference: string
      /** Ours, as it went out with the order. */
      readonly paymentId: string
      readonly amountMinor: bigint
      readonly at: Date
      /** `YYYY-MM-DD`. */
      readonly bankDate: string
      /** Number and word: `1212 Fraud`. */
      readonly reasonCode: string
    }
  /** A hold has ended without a capture. */
  | { readonly kind: 'lapse'; readonly reference: string; readonly paymentId: string; readonly at: Date }
  /** An open transaction is decided: the gateway may ask for its outcome now. */
  | {
      readonly kind: 'decided'
      readonly reference: string
      readonly paymentId: string
      readonly transactionId: string
      readonly at: Date
    }

export interface AcquirerEvents {
  /** Oldest first. */
  readonly events: readonly AcquirerEvent[]
  /** From where to go on. */
  readonly cursor: string
  /** There was more than fits in one answer. */
  readonly more: boolean
}

/** Something the acquirer executed, by its own record. */
export interface AcquirerEffect {
  readonly transactionId: string
  readonly paymentId: string
  readonly kind: 'sale' | 'authorize' | 'debit' | 'credit' | 'transfer' | 'capture' | 'refund' | 'reverse' | 'void'
  readonly amountMinor: bigint
  readonly currency: string
  readonly reference: string
  readonly at: Date
}

export interface AcquirerEffects {
  /** Oldest first. */
  readonly effects: readonly AcquirerEffect[]
  readonly cursor: string
  readonly more: boolean
}
