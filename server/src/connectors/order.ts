/** What an acquirer is asked: orders, follow-ups and questions, in our words. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { Secret } from '#domain/secret.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { AcquirerFacts } from './outcome.ts'

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
  /** Names the merchant's own number at the wallet provider, for later charges without the payer. */
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

/** Null for a device wallet: S2S APM names it as a brand as well, and `wallet` has what it pays with. */
export const catalogueBrandOf = ({ brand }: Pick<Order, 'brand'>): BrandPayment | null =>
  brand?.kind === 'wallet' ? null : brand

/** A first step: sale, authorisation, debit, payout or transfer. */
export interface Order {
  readonly transactionId: string
  readonly paymentId: string
  readonly orderId: string
  readonly description: string
  /** Null when the payer decides how much: an open-amount crypto order. */
  readonly amountMinor: bigint | null
  readonly currency: string
  /** Null where no number is known: brands, and wallet tokens that are passed on encrypted. */
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
  /** The payer's browser, for an acquirer that authenticates the payer by itself. */
  readonly browser: BrowserFacts | null
  readonly moto: boolean
  readonly payerPresent: boolean
  readonly storedCredential: StoredCredential | null
  readonly threeDs: ExternalThreeDs | null
  readonly recurringInit: boolean
  readonly networkTransactionId: string | null
  /** What the acquirer of this MID stored with the first payment of the chain; absent where it stored nothing. */
  readonly chainCredential?: string
  readonly registerCard: boolean
  readonly descriptor: string
  /** The merchant's name, for an acquirer that shows it to the payer; absent if the merchant is not known any more. */
  readonly merchantName?: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Where the payer's browser comes back to when the acquirer sends it away; null when there is no browser. */
  readonly returnUrl: string | null
  readonly mode: Mode
  /** Where the acquirer reports to the MID, for one that wants to be told with every charge. */
  readonly notificationUrl?: string
  /** When the transaction was written, before it was sent for the first time. */
  readonly createdAt: Date
}

/** The payment's first step, as a later one needs it. */
interface FirstStepRecord {
  readonly transactionId: string
  /** The acquirer's reference of it. */
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly createdAt: Date
  readonly facts: AcquirerFacts
}

/** A capture that the acquirer has executed. Some acquirers refund a capture, and not the payment. */
interface CaptureRecord {
  readonly transactionId: string
  readonly reference: string | null
  readonly amountMinor: bigint
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
  /** When the transaction was written, before it was sent for the first time. */
  readonly createdAt: Date
  readonly first: FirstStepRecord
  /** Oldest first. */
  readonly captures: readonly CaptureRecord[]
}

/** What a transaction asked the acquirer to do. */
export type MoneyOperation =
  | 'sale'
  | 'authorize'
  | 'debit'
  | 'credit'
  | 'transfer'
  | 'capture'
  | 'refund'
  | 'reverse'
  | 'void'

/** A transaction that was sent, as far as its record tells. Card data is not part of it. */
export interface SentTransaction {
  readonly transactionId: string
  readonly paymentId: string
  readonly operation: MoneyOperation
  /** The acquirer's reference of this transaction; null if it never answered with one. */
  readonly reference: string | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly createdAt: Date
  /** The record of the payment's first step; the transaction itself if it is the first. */
  readonly first: FirstStepRecord
}

export type StatusQuery = SentTransaction

/** The payer is back from the page that a `payer-step` named. */
export interface PayerReturn extends SentTransaction {
  /** What the connector asked to be given again. */
  readonly state: JsonObject
  /** The query or the form with which the browser came back; empty if it did not come back. Written by the payer's browser: proves nothing. */
  readonly fields: Readonly<Record<string, string>>
}
