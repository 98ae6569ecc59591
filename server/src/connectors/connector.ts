/**
 * The contract between the gateway and an acquirer.
 *
 * Absent means unsupported: an operation is offered by having its method, and routing, the panel and the documentation
 * read that. `sale` and `status` are compulsory, since without `status` an unknown outcome could never be resolved.
 *
 * A method describes one exchange: it turns our words into the acquirer's request, sends it by `wire`, and turns the answer into
 * an `Outcome`. It never retries, never sleeps and never decides about the payment. The transaction's id is the idempotency key
 * of every send. Whether the acquirer honours it is declared by `recovery`, since nothing is sent again where it does not.
 */

import type { ZodType } from 'zod'
import type { Wallet } from '#domain/mid.ts'
import type { AcquirerReferences } from '#domain/payment/facts.ts'
import type { DeclineClass } from '#domain/payment/payment.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Credentials } from './credentials.ts'
import type { RequestRecovery } from './request-recovery.ts'
import type { Wire } from './wire.ts'

export type { RequestRecovery } from './request-recovery.ts'

/** What an acquirer told us beyond yes or no. Everything is optional: acquirers differ. */
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
  /** Where the payer sends crypto money. */
  readonly crypto?: { readonly address: string; readonly network: string | null }
  /** What the payer takes to the counter; `expires` as `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly voucher?: { readonly reference: string; readonly expires: string | null; readonly url: string | null }
  /** Minor units as text: what really came, where the payer decides how much (crypto). Absent means the amount that was asked for. */
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
  /** Taken, and finished later without our doing: refunds, reversals, payouts, and money that the payer sends in his own time. */
  | { readonly result: 'waiting'; readonly facts: AcquirerFacts }
  /** The payer has to act before anything is decided. */
  | {
      readonly result: 'payer-step'
      readonly step: '3DS' | 'REDIRECT'
      readonly url: string
      readonly method: 'GET' | 'POST'
      readonly params: Readonly<Record<string, string>>
      /** What is needed again when the payer is back. */
      readonly state?: JsonObject
      readonly facts: AcquirerFacts
    }
  /** No answer, a timeout, or "not decided yet": never a decline. */
  | { readonly result: 'unknown'; readonly reason: string; readonly facts: AcquirerFacts }
  /** Known not to have reached the acquirer or not to have been executed there. */
  | { readonly result: 'not-executed'; readonly reason: string; readonly facts: AcquirerFacts }

/** What `status` may say besides an outcome: the acquirer has never heard of the transaction. */
export type Answer = Outcome | { readonly result: 'never-arrived' }

export interface CardData {
  readonly number: Secret<string>
  /** Null on the recipient's card of a payout. */
  readonly expiryMonth: number | null
  readonly expiryYear: number | null
  /** In memory only; gone after a restart, so that a repeated send goes without it. */
  readonly verificationCode: Secret<string> | null
  readonly holder: string | null
}

interface StoredCredential {
  readonly initiator: 'cardholder' | 'merchant'
  readonly sequence: 'initial' | 'subsequent'
  readonly source: 'card_token' | 'recurring' | 'schedule'
  /** The acquirer's own reference from the registration, when the MID has Card-on-File. */
  readonly reference: string | null
}

/** Authentication made elsewhere and passed on. Chapter 10 §7.1.8. */
export interface ExternalThreeDs {
  readonly eci: string
  readonly authenticationValue: Secret<string>
  readonly dsTransId: string
  readonly version: string
  readonly transStatus: string | null
  readonly xid: string | null
}

/** A device wallet's payment. Chapter 40 §9. */
export interface WalletPayment {
  readonly name: Wallet
  /** The token's exact text where it goes on unopened; null once decrypted data is sent in its place. */
  readonly token: Secret<string> | null
  /** What the opened token holds besides number and expiry, which are then the order's card. In memory only. */
  readonly decrypted: DecryptedWallet | null
}

export interface DecryptedWallet {
  readonly panType: 'DPAN' | 'FPAN'
  readonly dataType: '3DSecure' | 'EMV'
  /** Base64, as it was given. */
  readonly cryptogram: Secret<string> | null
  readonly eci: string | null
  readonly emvData: Secret<string> | null
  readonly pinData: Secret<string> | null
  /** Names the merchant's own number at the wallet's maker, for later charges without the payer. */
  readonly merchantToken: Secret<string> | null
}

/** A brand of the catalogue. Its parameters are the order's, by the names the brand forwards them under. Chapter 20 §5. */
export interface BrandPayment {
  readonly code: string
  readonly kind: string
  readonly identifier: string | null
  readonly cryptoNetwork: string | null
  /** How the sandbox is to behave; other acquirers have no use for it. */
  readonly sandboxBehaviour: string | null
  /** Until when the payer may act. */
  readonly expiresAt: Date
}

/** A first step: sale, authorisation, debit, payout or transfer. */
export interface Order {
  readonly transactionId: string
  readonly paymentId: string
  readonly orderId: string
  readonly description: string
  /** Null when the payer decides how much: an open-amount crypto order. */
  readonly amountMinor: bigint | null
  readonly currency: string
  /** Null where no number is known: brands, and wallet tokens that nobody opened. */
  readonly card: CardData | null
  readonly wallet: WalletPayment | null
  readonly brand: BrandPayment | null
  /** The recipient of a transfer or payout. */
  readonly payeeCard: Secret<string> | null
  /** Wire names without the `payer_` prefix: first_name, email, country … */
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly payerIp: string | null
  /** What the payer's browser takes, where that is known: connectors with a field for it send it. Chapter 30 §8.4. */
  readonly payerExtraDetails?: { readonly acceptHeaders: string }
  readonly moto: boolean
  readonly payerPresent: boolean
  readonly storedCredential: StoredCredential | null
  readonly threeDs: ExternalThreeDs | null
  readonly recurringInit: boolean
  readonly networkTransactionId: string | null
  readonly registerCard: boolean
  readonly descriptor: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Where the payer's browser comes back to when the acquirer sends it away; null when there is no browser. */
  readonly returnUrl: string | null
  readonly test: boolean
}

/** A later step on a payment that the acquirer knows. */
export interface FollowUp {
  readonly transactionId: string
  readonly paymentId: string
  /** The payment's first step (sale, authorisation, debit), also when a capture came in between. */
  readonly originalTransactionId: string
  /** The acquirer's reference of that first step. */
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface StatusQuery {
  readonly transactionId: string
  readonly paymentId: string
  readonly reference: string | null
}

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
  /** A hold that nobody captured has ended. */
  | { readonly kind: 'lapse'; readonly reference: string; readonly paymentId: string; readonly at: Date }
  /** An open transaction is decided: whoever waits for it may ask now. */
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

export interface Support {
  /** Decrypted wallet numbers may be processed as cards. */
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  /** Takes a wallet's token as it came. */
  readonly passesTokens: boolean
  /** Takes EMV data of a wallet. */
  readonly emv: boolean
  readonly partialCapture: boolean
  readonly moto: boolean
  readonly zeroAmount: boolean
  readonly recurring: boolean
  readonly cardOnFile: boolean
  readonly externalThreeDs: boolean
  readonly ipv6: boolean
}

export interface Connector {
  readonly id: string
  readonly title: string
  /** Parsed when a MID is entered and when it is loaded; the panel draws its form from it. */
  readonly credentials: ZodType<Credentials>
  readonly supports: Support
  /** Dotted paths of the request that must never reach a log. */
  readonly secretFields: readonly string[]
  /** By the credentials of the MID: one acquirer may treat its customers differently. */
  recovery(credentials: Credentials): RequestRecovery

  sale(order: Order, wire: Wire): Promise<Outcome>
  authorize?(order: Order, wire: Wire): Promise<Outcome>
  debit?(order: Order, wire: Wire): Promise<Outcome>
  credit?(order: Order, wire: Wire): Promise<Outcome>
  transfer?(order: Order, wire: Wire): Promise<Outcome>
  capture?(followUp: FollowUp, wire: Wire): Promise<Outcome>
  refund?(followUp: FollowUp, wire: Wire): Promise<Outcome>
  /** Releases a hold, or takes a debit back. */
  reverse?(followUp: FollowUp, wire: Wire): Promise<Outcome>
  void?(followUp: FollowUp, wire: Wire): Promise<Outcome>
  status(query: StatusQuery, wire: Wire): Promise<Answer>
  /** What happened there by itself after the cursor, which is empty at first. */
  events?(cursor: string, wire: Wire): Promise<AcquirerEvents>
  /** What it executed after the cursor, which is empty at first: its record, to hold against ours after a restore. */
  effects?(cursor: string, wire: Wire): Promise<AcquirerEffects>
}

/** Keeps a connector's literal type while checking it against the contract. */
export const connector = <const C extends Connector>(definition: C): C => definition
