/** What the store keeps of a payment, in our words. The columns are in `store/migrations`, the wire's names in `protocols`. */
import type { Issuer } from '#domain/issuer.ts'
import type { Entry } from '#domain/ledger.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { BrowserFacts, ThreeDsFacts } from '#domain/payment/facts.ts'
import type { DeclineClass, Payment, TransactionState, TransactionType } from '#domain/payment/payment.ts'
import type { Explanation } from '#domain/routing.ts'
import type { AcquirerFacts } from './connectors/connector.ts'
import type { JsonObject } from './json.ts'
import type { Consequences, ScheduleRecord, ScheduleWish, SubscriptionRecord } from './plan-records.ts'

export type { Json, JsonObject } from './json.ts'
export type {
  ChainRecord,
  Consequences,
  DeferredCommand,
  PlanEnd,
  PlanEndReason,
  ScheduleRecord,
  ScheduleWish,
  SubscriptionRecord,
} from './plan-records.ts'

/** Where the card data of a payment came from; it decides which formulas its signatures follow. */
export type CardSource = 'card' | 'token' | 'wallet'

export interface StoredCredentialFacts {
  readonly initiator: 'cardholder' | 'merchant'
  readonly sequence: 'initial' | 'subsequent'
  readonly source: 'card_token' | 'recurring' | 'schedule'
}

/** Everything about a payment that no rule and no key needs; kept as one JSON document. */
export interface StoredFacts {
  readonly motoType?: string
  readonly payerPresent?: boolean
  /** The token that saving the card gives; usable and told only once the payment succeeded. */
  readonly issuedToken?: string
  readonly storedCredential?: StoredCredentialFacts
  readonly network?: string
  /** From the operator's table of issuers; what the acquirer tells goes before it. */
  readonly issuer?: Issuer
  /** As given in `mpi_data`, or as collected; the authentication value is never kept. */
  readonly threeDs?: ThreeDsFacts
  readonly browser?: BrowserFacts
  /** Where the payer's browser goes in the end, and in which window. */
  readonly termUrl?: string
  readonly termTarget?: string
  /** Where the payer was sent, as the merchant was told. */
  readonly redirect?: {
    readonly url: string
    readonly method: 'GET' | 'POST'
    readonly params: Readonly<Record<string, string>>
  }
  /** The first payment of a chain: the token is told once the payment succeeded. */
  readonly recurringInit?: boolean
  readonly recurringToken?: string
  /** The first payment's id, on the first payment its own. */
  readonly recurringFirst?: string
  readonly schedule?: ScheduleWish
  /** `callback_url` of a payment that starts a plan: the plan's payments have it too. */
  readonly sentCallbackUrl?: string
  /** The masked card of a transfer's recipient. */
  readonly payeeCardMask?: string
  readonly payeeCardId?: string
  /** Fired by a plan. */
  readonly planned?: boolean
  readonly chargeback?: { readonly at: string; readonly bankDate: string; readonly reasonCode: string }
  /** What the acquirer told about the first step. */
  readonly acquirer?: AcquirerFacts
}

export interface PaymentRecord extends Payment {
  readonly merchantId: string
  readonly id: string
  readonly version: number
  readonly protocol: Protocol
  /** The action that made it: SALE, DEBIT, RECURRING_SALE … */
  readonly action: string
  readonly test: boolean
  readonly orderId: string
  readonly orderDescription: string
  readonly amountDecimals: number
  readonly currency: string
  readonly declineReason: string | null
  readonly midId: string | null
  readonly mappingId: string | null
  readonly channel: string | null
  readonly routing: Explanation | null
  readonly cardId: string | null
  readonly pan10: string | null
  readonly cardMask: string | null
  /** `MM/YYYY`. */
  readonly cardExpiry: string | null
  readonly cardSource: CardSource | null
  /** The saved-card token the payment was made with. */
  readonly cardToken: string | null
  readonly payerEmail: string | null
  readonly payerIp: string | null
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly customData: JsonObject | null
  readonly parameters: JsonObject | null
  readonly facts: StoredFacts
  readonly language: string
  readonly callbackUrl: string | null
  /** Made under "Reject duplicate orders": no other payment of its order may stand beside it. */
  readonly aloneInOrder: boolean
  readonly firstTransaction: string
  readonly reference: string | null
  readonly openTransaction: string | null
  readonly chainId: string | null
  readonly subscriptionId: string | null
  readonly planDate: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface TransactionRecord {
  readonly merchantId: string
  readonly paymentId: string
  readonly id: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly amountMinor: bigint
  readonly midId: string
  readonly reference: string | null
  readonly parameters: JsonObject | null
  readonly facts: AcquirerFacts
  readonly declineReason: string | null
  readonly declineClass: DeclineClass | null
  readonly creditvoidId: string | null
  readonly useId: string | null
  readonly asks: number
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A card as it goes into the vault; the number is sealed before it reaches the store. */
export interface CardRecord {
  readonly merchantId: string
  readonly id: string
  readonly panSealed: Uint8Array
  readonly bin: string
  readonly lastFour: string
  readonly panLength: number
  /** Null on the recipient's card of a payout. */
  readonly expiryMonth: number | null
  readonly expiryYear: number | null
  readonly holder: string | null
  readonly network: string | null
}

export interface CardTokenRecord {
  readonly merchantId: string
  readonly token: string
  readonly cardId: string
  readonly test: boolean
  /** The payer's name when the card was saved. */
  readonly firstName: string | null
  readonly lastName: string | null
  /** Per MID id the acquirer's reference of the stored credential. */
  readonly credentials: Readonly<Record<string, string>>
}

/** A callback as it is written together with the outcome it tells. */
export interface CallbackDraft {
  readonly id: string
  readonly url: string
  readonly contentType: string
  readonly body: string
  readonly retrySeconds: readonly number[]
}

/** The first write of a payment: card, payment and first transaction become durable together. */
export interface Opening {
  readonly payment: PaymentRecord
  readonly card: CardRecord | null
  readonly transaction: TransactionRecord
  readonly sentBy: number
  readonly askAt: Date
}

/** A later command's intent on a payment that was read at `payment.version`. */
export interface Beginning {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly sentBy: number
  readonly askAt: Date
  /** The payer's authentication, which was open until now and ends well as the charge begins. */
  readonly authentication?: string
}

/** Where a payer is sent while a transaction waits for it. */
export interface PayerStep {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  readonly kind: '3DS' | 'REDIRECT'
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, string>>
  /** What the MPI service needs to know again when the payer is back. */
  readonly mpi: JsonObject
  /** The id under which look-ups list a REDIRECT step; a 3DS step is a transaction of its own already. */
  readonly listedAs: string | null
  readonly state: 'waiting' | 'returned' | 'expired'
  /** Memory storage: until when the form is given out, once. */
  readonly storedUntil: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** A plan payment's intent: payment, transaction and the plan that moves on become durable together, or not at all. */
export interface Firing {
  /** As read; its version guards the write, and so does that of the schedule, which must not be paused. */
  readonly before: SubscriptionRecord
  readonly after: SubscriptionRecord
  readonly schedule: ScheduleRecord
  readonly opening: Opening
}

/** An outcome: the payment after it, the transaction as it ended, the money it moved and what the merchant is told. */
export interface Settlement extends Consequences {
  /** As read; its version guards the write. */
  readonly before: PaymentRecord
  readonly after: PaymentRecord
  /** Already over when it is first written, if the acquirer acted by itself: a chargeback, a lapsed hold. */
  readonly transaction: TransactionRecord
  readonly askAt: Date | null
  readonly entries: readonly Entry[]
  readonly callback: CallbackDraft | null
  readonly token: CardTokenRecord | null
  readonly step: PayerStep | null
  readonly at: Date
}
