/** The outcome of an exchange with an acquirer. */
import type { AcquirerReferences } from '#domain/payment/facts.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'
import type { JsonObject } from '../contracts/json.ts'

/** The acquirer's data beside approval or decline. Everything is optional, because acquirers differ. */
export interface AcquirerFacts extends Partial<Readonly<Record<keyof AcquirerReferences, string>>> {
  readonly reference?: string
  readonly networkTransactionId?: string
  readonly descriptor?: string
  readonly issuerCountry?: string
  readonly issuerBank?: string
  readonly exchange?: {
    readonly rate: string
    /** The first leg of a double exchange. */
    readonly rateBase: string | null
    readonly currency: string
    readonly amount: string
  }
  /** The address of a crypto payment, and what is to be sent there as far as the acquirer says it, such as `0.00020000` and `BTC`. */
  readonly crypto?: {
    readonly address: string
    readonly network: string | null
    readonly amount?: string
    readonly currency?: string
  }
  /** The voucher with which the payer pays; `expires` as `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly voucher?: { readonly reference: string; readonly expires: string | null; readonly url: string | null }
  /** The received amount in minor units, as text, if the payer decides the amount (crypto). Absent means the requested amount. */
  readonly received?: string
  /** The acquirer's own reference of the stored credential it registered. */
  readonly storedCredential?: string
  /** Anything else worth returning in `extended_data`, such as avs_result and cvv_result. Never card data. */
  readonly extended?: Readonly<Record<string, string>>
}

export type Outcome =
  | { readonly result: 'approved'; readonly facts: AcquirerFacts }
  | {
      readonly result: 'declined'
      /** Shown to the merchant as `decline_reason`. */
      readonly reason: string
      readonly declineClass: DeclineClass
      readonly facts: AcquirerFacts
    }
  /** Accepted, and completed later by the acquirer: refunds, reversals, payouts, and payments that the payer makes later. */
  | { readonly result: 'waiting'; readonly facts: AcquirerFacts }
  /** The payer has to act before anything is decided. */
  | {
      readonly result: 'payer-step'
      /** `3DS` is the way of the gateway's own MPI service. A connector sends its payer by `REDIRECT`, also where the acquirer authenticates. */
      readonly step: '3DS' | 'REDIRECT'
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly params: Readonly<Record<string, string>>
      /** Data that is needed again when the payer returns. */
      readonly state?: JsonObject
      readonly facts: AcquirerFacts
    }
  /** No answer, a timeout, or "not decided yet": never a decline. */
  | { readonly result: 'unknown'; readonly reason: string; readonly facts: AcquirerFacts }
  /** Known not to have reached the acquirer or not to have been executed there. */
  | {
      readonly result: 'not-executed'
      readonly reason: string
      readonly facts: AcquirerFacts
      /**
       * Known of this send alone: the acquirer was not reached, or refused it for its credentials or rate before it looked whether it knows the
       * request. An earlier send of the same transaction may have been executed.
       */
      readonly onlyThisSend?: true
    }

/** What `status` may say besides an outcome. */
export type Answer =
  | Outcome
  /** The acquirer does not know the transaction. */
  | { readonly result: 'never-arrived' }
  /** The acquirer has no way to ask about this transaction. It is resolved by a repetition, a reversal, or a notification. */
  | { readonly result: 'cannot-be-asked' }

/** Refused at the door: see `onlyThisSend`. */
export const refusedSend = (reason: string): Outcome => ({
  result: 'not-executed',
  reason,
  facts: {},
  onlyThisSend: true,
})

/** The request was not processed, and nothing was charged. */
export const notExecuted = (reason: string): Outcome => ({ result: 'not-executed', reason, facts: {} })
