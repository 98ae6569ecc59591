/** What an acquirer reports of itself: events that we did not ask for, and its own record of what it executed. */

import type { Outcome } from './outcome.ts'

/**
 * What happened at the acquirer without our asking. `reference` is its own name of the event, which counts once. A `transactionId` is whole, or
 * its end as `merchantReference` writes it.
 */
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
      /** It takes again what an earlier chargeback had returned. `chargeback` is its reference; null if the acquirer names only the payment. */
      readonly follows?: { readonly chargeback: string | null }
    }
  /** Money of a chargeback came back: the dispute was won, or the payer's bank withdrew it. */
  | {
      readonly kind: 'chargeback-returned'
      readonly reference: string
      /** The reference of the chargeback; null if the acquirer names only the payment. */
      readonly chargeback: string | null
      readonly paymentId: string
      readonly at: Date
      /** Null: all of it. */
      readonly amountMinor: bigint | null
      /** The dispute may have ended before any money was taken. */
      readonly mayBeUntaken: boolean
    }
  /** A hold has ended without a capture. */
  | { readonly kind: 'lapse'; readonly reference: string; readonly paymentId: string; readonly at: Date }
  /** An open transaction is decided. The gateway asks for its outcome; where the acquirer cannot be asked, the event tells it. */
  | {
      readonly kind: 'decided'
      readonly reference: string
      readonly paymentId: string
      readonly transactionId: string
      readonly at: Date
      /**
       * The acquirer's reference of the transaction. It finds the transaction first, and `transactionId` second: an acquirer may repeat the
       * reference of the payment where a later step is meant.
       */
      readonly acquirerReference?: string
      /** Only where `status` cannot be asked about the transaction. */
      readonly outcome?: Outcome
    }
  /**
   * Something about a transaction was decided, says an acquirer that names it by references alone. Nothing of it is taken over: the gateway finds
   * the transaction and asks.
   */
  | {
      readonly kind: 'reported'
      readonly reference: string
      readonly paymentId: null
      /** Ours, whole; null if the acquirer does not repeat it. */
      readonly transactionId: string | null
      readonly acquirerReference: string | null
      readonly at: Date
      /** What an operator has to look at, where the acquirer cannot be asked: a dispute. */
      readonly task: string | null
    }
  /** A refund that was approved did not reach the payer's account after all. */
  | {
      readonly kind: 'refund-failed'
      readonly reference: string
      readonly paymentId: string
      readonly transactionId: string
      readonly at: Date
      readonly reason: string
    }
  /** The acquirer captured a hold that we did not ask it to capture, such as one captured in its dashboard. */
  | {
      readonly kind: 'captured'
      readonly reference: string
      readonly paymentId: string
      readonly transactionId: string
      readonly at: Date
      readonly amountMinor: bigint
    }
  /** The networks' number of the payment, which is known only after it was cleared. */
  | {
      readonly kind: 'arn'
      readonly reference: string
      readonly paymentId: string
      readonly transactionId: string
      readonly at: Date
      readonly arn: string
    }
  | {
      readonly kind: 'dispute-changed'
      /** The acquirer's reference of this change. */
      readonly reference: string
      /** The acquirer's identifier of the dispute, the same for all its changes. */
      readonly dispute: string
      /** The reference of its chargeback; null if the acquirer names only the payment. */
      readonly chargeback: string | null
      readonly paymentId: string
      readonly at: Date
      readonly state: 'opened' | 'evidence-due' | 'under-review' | 'pre-arbitration' | 'won' | 'lost'
      readonly amountMinor: bigint | null
      readonly evidenceDueAt: Date | null
      readonly reasonCode: string
      /** The payer's bank only asks: no money was taken. Absent where the acquirer does not say whether it was. */
      readonly isInquiry?: boolean
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
  /** The merchant's, where the acquirer was sent it and gives it back. */
  readonly orderId: string | null
  readonly at: Date
}

export interface EffectsQuery {
  /** Empty at first; then that of the answer before. */
  readonly cursor: string
  /** Only what was executed from then on has to be listed; null for everything that the acquirer lists. */
  readonly since: Date | null
}

export interface AcquirerEffects {
  /** In any order: the reader sorts them by their time. */
  readonly effects: readonly AcquirerEffect[]
  /** From where to go on. */
  readonly cursor: string
  /** There is more to ask for. */
  readonly more: boolean
}
