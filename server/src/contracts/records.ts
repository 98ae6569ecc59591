/** What the store keeps of a payment, in our words. The columns are in `store/migrations`, the wire's names in `protocols`. */
import type { Protocol } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Entry } from '#domain/money/ledger.ts'
import type { DeclineClass, Payment, TransactionState, TransactionType } from '#domain/payment/payment.ts'
import type { FirstCommand } from '#domain/payment/rules.ts'
import type { OpenWindow } from '#domain/routing/budget.ts'
import type { Ending } from '#domain/routing/ending.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import type { CountedIn, LimitUse } from '#domain/routing/limit-use.ts'
import type { AcquirerFacts } from '../connectors/connector.ts'
import type { JsonObject } from './json.ts'
import type { Consequences, ScheduleRecord, SubscriptionRecord } from './plan-records.ts'
import type { StoredFacts } from './stored-facts.ts'

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
export type { BrandFacts, PlaceLeft, StoredCredentialFacts, StoredFacts, WalletFacts } from './stored-facts.ts'

/** Where the card data of a payment came from; it decides which formulas its signatures follow. */
export type CardSource = 'card' | 'token' | 'wallet'

/** A token's id as the replay guard keeps it; `check` names the check that it belongs to. Chapter 40 §13. */
export interface TokenUse {
  readonly wallet: Wallet
  readonly check: string
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

export interface PaymentRecord extends Payment {
  readonly merchantId: string
  readonly id: string
  readonly version: number
  readonly protocol: Protocol
  readonly action: FirstCommand
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
  /** The Checkout session that it was made on. */
  readonly sessionId: string | null
  /** The first attempt of the cascade; null on that one itself. Chapter 10 §6.2. */
  readonly cascadeId: string | null
  /** Its number in the cascade, from 1. */
  readonly attempt: number
  /** `continues`: declined, and another attempt is about to be opened. `continued`: one was. */
  readonly cascading: 'continues' | 'continued' | null
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

/** A request that is about to leave. */
export interface Sending {
  /** The process that sends it. */
  readonly sentBy: number
  /** From the moment at which its intent is written, by the database's clock: how long it may be executed, and is left alone. */
  readonly inFlightMs: number
}

/** The first write of a payment: card, payment and first transaction become durable together. */
export interface Opening {
  readonly payment: PaymentRecord
  readonly card: CardRecord | null
  readonly transaction: TransactionRecord
  readonly sending: Sending
  /** Written with the payment, so that of parallel requests with one token exactly one makes a payment. */
  readonly tokenUses?: readonly TokenUse[]
  /** What the acquirer may have to be sent once more, sealed; a wallet's is erased once the first step has its outcome. */
  readonly kept?: { readonly purpose: KeptPurpose; readonly sealed: Uint8Array } | null
  /** The Checkout session as it was read: an attempt on one that was changed or closed meanwhile writes nothing. */
  readonly session?: { readonly id: string; readonly version: number } | null
  /** The declined attempt that this one follows, as it was read: what was changed or ended meanwhile is not followed. */
  readonly follows?: { readonly id: string; readonly version: number } | null
  /** What the payment counts in; written only where there is room for it. */
  readonly limits?: readonly LimitUse[]
  readonly try?: CardTry | null
}

/** One more try of a card, which its network grants only so often. */
export interface CardTry {
  readonly cardId: string
  readonly windows: readonly OpenWindow[]
}

/** `wallet`: a token's text, or cryptogram and EMV data of an opened one. `parameters`: those of a brand that are secret. */
export type KeptPurpose = 'wallet' | 'parameters'

/** A later command's intent on a payment that was read at `payment.version`. */
export interface Beginning {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly sending: Sending
  /** The payer's authentication, which was open until now and ends well as the charge begins. */
  readonly authentication?: string
  /** As of an opening: only a RETRY counts anew. */
  readonly limits?: readonly LimitUse[]
  readonly try?: CardTry | null
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
  /** Another attempt follows at once; if this process dies before it is written, somebody ends the cascade. */
  readonly goesOn?: Sending | null
  /** The outcome is that nothing was executed, as far as the acquirer knows; when it is asked whether that is still so. */
  readonly watchAt?: Date | null
  /** What the outcome changes in the counts that the payment takes part in: all of it is given back by a decline. */
  readonly recount?: Recount | null
  readonly at: Date
}

export interface Recount {
  readonly uses: readonly CountedIn[]
  readonly amountMinor: bigint
  readonly count: number
}

/** The end of a cascade whose next attempt was never written: the decline is final after all, and told. */
export interface CascadeEnd extends Pick<Consequences, 'deferred'> {
  /** As read; its version guards the write. */
  readonly payment: PaymentRecord
  readonly ending: Ending
  readonly transaction: TransactionRecord
  readonly callback: CallbackDraft | null
  readonly at: Date
}
