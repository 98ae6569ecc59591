/** The stored records of a Checkout session, under our own names. Chapter 30 §3, §8. */
import type { LinkUses } from '#domain/checkout/payment-link.ts'
import type { Mode } from '#domain/merchant.ts'
import type { RequestTexts } from '#domain/payment/facts.ts'
import type { JsonObject } from './json.ts'
import type { ScheduleRequest } from './plan-records.ts'

/** Who enters the card: the payer on the hosted page, the payer in frames of the merchant's page, or staff in frames of the panel. */
export type SessionKind = 'page' | 'fields' | 'terminal'

export type SessionOperation = 'purchase' | 'debit' | 'credit' | 'transfer'

/** The order's texts as the merchant sent them, because callbacks, returns and hashes repeat them byte for byte. */
interface SessionOrder {
  readonly number: string
  /** Null for an open-amount crypto order. */
  readonly amount: string | null
  readonly currency: string
  readonly description: string
}

/** The merchant's whole request as it was read; stored as one JSON document. */
export interface SessionRequest extends RequestTexts {
  /** Empty if the merchant requested no particular methods. */
  readonly methods: readonly string[]
  readonly channel: string | null
  readonly order: SessionOrder
  readonly urls: {
    readonly success: string | null
    readonly cancel: string | null
    readonly expiry: string | null
    readonly error: string | null
    /** Hosted fields only. */
    readonly return: string | null
  }
  readonly urlTarget: string | null
  readonly saveCard: boolean
  readonly cardTokens: readonly string[]
  readonly recurringInit: boolean
  readonly schedule: ScheduleRequest | null
  readonly consentRequired: boolean
  readonly auth: boolean
  readonly vatCalc: boolean
  readonly formId: string | null
  /** Members by their wire names; members that were not sent are absent. */
  readonly customer: Readonly<Record<string, string>>
  readonly billingAddress: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly payeeBillingAddress: Readonly<Record<string, string>>
  readonly cryptoNetwork: string | null
  /** Further parameters of the request, by payment method. */
  readonly parameters: JsonObject | null
  readonly customData: JsonObject | null
  /** `customer.ip`, otherwise the caller's address. Hosted fields only. */
  readonly customerIp: string | null
}

export interface SessionRecord {
  readonly merchantId: string
  readonly id: string
  readonly version: number
  readonly kind: SessionKind
  readonly operation: SessionOperation
  readonly mode: Mode
  readonly request: SessionRequest
  /** The identifier reserved for the first payment. */
  readonly firstPayment: string
  readonly attempts: number
  /** Card number and expiry as the hosted fields collected them, sealed. */
  readonly fieldsSealed: Uint8Array | null
  /** The collection that these values belong to; null for values of a page that does not name its collections. */
  readonly collection: string | null
  /** Whether the last value of the collection has arrived. */
  readonly isCollectionComplete: boolean
  readonly expiresAt: Date
  readonly createdAt: Date
  /**
   * The amount that this visitor of a payment link chose, already set in `request`. It is in the visitor's token and never stored, because the
   * visitors of a link for one payment share a session.
   */
  readonly visitorAmount?: string
}

/** A payment link, whose payers open sessions. Chapter 70 §8. */
export interface PaymentLinkRecord {
  readonly merchantId: string
  readonly id: string
  /** The last part of its address. */
  readonly code: string
  readonly mode: Mode
  /** Null if the payer chooses the amount. */
  readonly amountMinor: bigint | null
  readonly currency: string
  readonly description: string
  /** Null: made from the code. */
  readonly orderNumber: string | null
  readonly uses: LinkUses
  /** Null for the language of the payer's browser. */
  readonly language: string | null
  /** Returned in callbacks as `custom_data`. */
  readonly metadata: JsonObject | null
  readonly expiresAt: Date | null
  readonly isCancelled: boolean
  /** The session in which a link for a single payment is paid; null before the first visit. */
  readonly sessionId: string | null
  readonly createdBy: string
  readonly createdAt: Date
}
