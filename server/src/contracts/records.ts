/** The stored records of a payment, under our own names. The columns are in `store/migrations`, the wire's names in `protocols`. */
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Entry } from '#domain/money/ledger.ts'
import type { DeclineClass, Payment, TransactionState, TransactionType } from '#domain/payment/payment.ts'
import type { FirstCommand } from '#domain/payment/rules.ts'
import type { OpenWindow } from '#domain/routing/budget.ts'
import type { Ending } from '#domain/routing/ending.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import type { LimitCounter, LimitUse } from '#domain/routing/limit-use.ts'
import type { AcquirerFacts } from '../connectors/connector.ts'
import type { HandDecision } from './hand-decision.ts'
import type { JsonObject } from './json.ts'
import type { Consequences, PlanRecord, ScheduleRecord } from './plan-records.ts'
import type { StoredFacts } from './stored-facts.ts'

export type { Json, JsonObject } from './json.ts'
export type {
  ChainRecord,
  Consequences,
  DeferredCommand,
  PlanEnd,
  PlanEndReason,
  PlanRecord,
  ScheduleRecord,
  ScheduleRequest,
} from './plan-records.ts'
export type { BrandFacts, RemainingMid, StoredCredentialFacts, StoredFacts, WalletFacts } from './stored-facts.ts'

/** Names a row of a merchant's, such as a payment or a card. Rows of different merchants may be on different servers. */
export interface RowKey {
  readonly merchantId: string
  readonly id: string
}

/** The origin of a payment's card data. It decides which signature formulas apply. */
export type CardSource = 'card' | 'token' | 'wallet'

/** The id of a wallet token as the replay guard stores it. `check` names the check that uses this id. Chapter 40 §13. */
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
  /** The action that created it: SALE, DEBIT, RECURRING_SALE … */
  readonly action: FirstCommand
  readonly mode: Mode
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
  /** The saved-card token that the payment was made with. */
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
  /** Made under "Reject duplicate orders": its order may have no second payment that is not declined. */
  readonly aloneInOrder: boolean
  readonly firstTransaction: string
  readonly reference: string | null
  readonly openTransaction: string | null
  readonly chainId: string | null
  readonly subscriptionId: string | null
  readonly planDate: string | null
  /** The Checkout session that it was made in. */
  readonly sessionId: string | null
  /** The first attempt of the cascade; null on the first attempt itself. Chapter 10 §6.2. */
  readonly cascadeId: string | null
  /** The number of the attempt in its cascade, from 1. */
  readonly attempt: number
  /** `continues`: declined, and the next attempt is about to be opened. `continued`: the next attempt was opened. */
  readonly cascading: 'continues' | 'continued' | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The acquirer's data about a transaction, and the decision of people where the acquirer had none. */
export interface RecordedFacts extends AcquirerFacts {
  readonly byHand?: HandDecision
  /** The row of a settlement file by which a chargeback became known. */
  readonly settlementRow?: string
  /** A person recorded a chargeback; false once the acquirer has notified of it under the same reference. */
  readonly isEnteredByHand?: boolean
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
  readonly facts: RecordedFacts
  readonly declineReason: string | null
  readonly declineClass: DeclineClass | null
  readonly creditvoidId: string | null
  readonly useId: string | null
  readonly asks: number
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A card as it is stored. The number is sealed before it reaches the store. */
export interface CardRecord {
  readonly merchantId: string
  readonly id: string
  readonly panSealed: Uint8Array
  readonly bin: string
  readonly lastFour: string
  readonly panLength: number
  /** Null for the recipient's card of a payout. */
  readonly expiryMonth: number | null
  readonly expiryYear: number | null
  readonly network: string | null
}

export interface CardTokenRecord {
  readonly merchantId: string
  readonly token: string
  readonly cardId: string
  readonly mode: Mode
  /** The payer's name when the card was saved. */
  readonly firstName: string | null
  readonly lastName: string | null
  /** The acquirer's reference of the stored credential, by the id of the MID. */
  readonly credentials: Readonly<Record<string, string>>
}

/** A callback, written together with the outcome that it reports. */
export interface CallbackDraft {
  readonly id: string
  readonly url: string
  readonly contentType: string
  readonly body: string
  readonly retrySeconds: readonly number[]
}

/** A request that is about to be sent. */
export interface Sending {
  /** The process that sends it. */
  readonly sentBy: number
  /**
   * How long the request may still be executed, counted by the database's clock from when the intent is written. No other process touches
   * the transaction during this time.
   */
  readonly inFlightMs: number
}

/** The first write of a payment: card, payment and first transaction become durable together. */
export interface Opening {
  readonly payment: PaymentRecord
  readonly card: CardRecord | null
  readonly transaction: TransactionRecord
  readonly sending: Sending
  /** Written with the payment, so that exactly one of several parallel requests with the same token creates a payment. */
  readonly tokenUses?: readonly TokenUse[]
  /** Sealed data for sending the first step again. Wallet data is erased once the first step has its outcome. */
  readonly sealedData?: { readonly purpose: StoredPurpose; readonly sealed: Uint8Array } | null
  /** The Checkout session as read. If it was changed or closed since, the attempt is not written. */
  readonly session?: { readonly id: string; readonly version: number } | null
  /** The declined attempt that this one follows, as read. If it was changed or its cascade ended since, nothing is written. */
  readonly follows?: { readonly id: string; readonly version: number } | null
  /** The limits that the payment counts towards. It is written only if all of them have room. */
  readonly limits?: readonly LimitUse[]
  readonly try?: CardTry | null
}

/** A retry of a card. Networks limit how many retries they allow. */
export interface CardTry {
  readonly cardId: string
  readonly windows: readonly OpenWindow[]
}

/** `wallet`: the token's text, or cryptogram and EMV data of a decrypted token. `parameters`: the secret parameters of a brand. */
export type StoredPurpose = 'wallet' | 'parameters'

/** The intent of a later command, on a payment that was read at `payment.version`. */
export interface Beginning {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  readonly sending: Sending
  /** The payer's authentication transaction, which ends successfully as the charge begins. */
  readonly authentication?: string
  /** Counters to increment, as in `Opening`. Only a RETRY is counted again. */
  readonly limits?: readonly LimitUse[]
  readonly try?: CardTry | null
}

/** A page that a payer is sent to while a transaction waits for the payer. */
export interface PayerStep {
  readonly merchantId: string
  readonly paymentId: string
  readonly transactionId: string
  readonly kind: '3DS' | 'REDIRECT'
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, string>>
  /** State that the MPI service or the acquirer needs again when the payer returns. */
  readonly mpi: JsonObject
  /** The query or form with which the browser returned; empty before. */
  readonly fields: Readonly<Record<string, string>>
  /** The id under which status queries list a REDIRECT step. A 3DS step is already a transaction with its own id. */
  readonly listedAs: string | null
  readonly state: 'waiting' | 'returned' | 'expired'
  /** Memory storage: until this time the form can be fetched from its first address. */
  readonly storedUntil: Date | null
  /** How many addresses of the form were used up. */
  readonly givenOut: number
  readonly expiresAt: Date
  readonly createdAt: Date
}

/** The intent of a plan's payment: payment, transaction and the advanced plan become durable together or not at all. */
export interface Firing {
  /** The plan as it was read. The write fails if the plan or the schedule has changed, or the schedule is paused. */
  readonly before: PlanRecord
  readonly after: PlanRecord
  readonly schedule: ScheduleRecord
  readonly opening: Opening
}

/** An outcome: the payment after it, the ended transaction, the money it moved and the callback to the merchant. */
export interface OutcomeRecord extends Consequences {
  /** The payment as it was read; its version guards the write. */
  readonly before: PaymentRecord
  readonly after: PaymentRecord
  /** An action of the acquirer (a chargeback, an expired hold) writes the transaction for the first time, already ended. */
  readonly transaction: TransactionRecord
  readonly askAt: Date | null
  readonly entries: readonly Entry[]
  readonly callback: CallbackDraft | null
  readonly token: CardTokenRecord | null
  readonly step: PayerStep | null
  /** Another attempt follows at once. If this process dies before writing it, a worker ends the cascade. */
  readonly continuation?: Sending | null
  /** Set if the acquirer reports that nothing was executed: when to ask again whether that is still true. */
  readonly watchAt?: Date | null
  /** Changes to the limit counters. A decline releases all of them. */
  readonly recount?: Recount | null
  readonly at: Date
}

export interface Recount {
  readonly uses: readonly LimitCounter[]
  readonly amountMinor: bigint
  readonly count: number
}

/** The end of a cascade whose next attempt was never written: the decline is final and is reported. */
export interface CascadeEnd extends Pick<Consequences, 'deferred'> {
  /** The payment as it was read; its version guards the write. */
  readonly payment: PaymentRecord
  readonly ending: Ending
  readonly transaction: TransactionRecord
  readonly callback: CallbackDraft | null
  readonly at: Date
}
