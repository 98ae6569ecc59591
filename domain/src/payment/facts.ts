/**
 * All known facts about a payment at the moment of reporting it: one value for the presenters of every protocol. Answers, callbacks,
 * look-ups, returns and the Add Data table read nothing else.
 *
 * Null means that the fact is not known or does not apply; the presenter decides whether such a field is left out or sent empty.
 * Names are internal; the wire's names are in `report-fields.ts` and in the protocols.
 */
import type { Mode, Protocol } from '../merchant.ts'
import type { LinkTarget } from '../mid.ts'
import type { DeclineClass, Kind, Status, TransactionState, TransactionType } from './payment.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** Text, or lists and objects of text, which a callback can write as bracket names. */
export type Nested = string | readonly Nested[] | { readonly [name: string]: Nested }
export type NestedObject = { readonly [name: string]: Nested }

export interface PaymentFacts extends TextFacts, AcquirerReferences {
  /** `trans_id`, on Checkout also `payment_id` and the callback's `id`. */
  readonly id: string
  readonly merchant: { readonly name: string; readonly title: string; readonly timeZone: string }
  readonly mid: MidFacts | null
  /** The protocol that created the payment, which may differ from that of the request. */
  readonly protocol: Protocol
  /** The action that created the payment: SALE, DEBIT, RECURRING_SALE … */
  readonly action: string
  readonly kind: Kind
  readonly status: Status
  readonly mode: Mode
  readonly createdAt: Date

  readonly order: OrderFacts
  /** The transaction that a callback or an answer reports; null in a look-up of the payment. */
  readonly transaction: TransactionFacts | null
  /** Oldest first; null when they were not read, because most answers do not show them. */
  readonly transactions: readonly TransactionFacts[] | null
  readonly declineClass: DeclineClass | null

  readonly card: CardOfPayment | null
  readonly payer: PayerFacts
  readonly payee: PayerFacts

  readonly panType: 'DPAN' | 'FPAN' | null
  readonly storedCredential: StoredCredentialOfPayment | null
  readonly threeDs: ThreeDsFacts | null
  readonly browser: BrowserFacts | null

  /** As the merchant sent it; only returned, never interpreted. */
  readonly customData: { readonly [name: string]: Json } | null
  /** Data of the connector that has no field of its own. */
  readonly extendedData: NestedObject | null
  readonly exchange: ExchangeFacts | null
  /** Fixed and percentage part together, on debits of S2S APM. */
  readonly commissionMinor: bigint | null
  readonly vatMinor: bigint | null

  readonly recurring: RecurringFacts | null
  readonly schedule: ScheduleFacts | null
  readonly consent: { readonly id: string | null; readonly state: 'active' | 'cancelled' | 'ignored' } | null
  /** The merchant asked to save the card. */
  readonly reqToken: boolean
  readonly paidWithToken: boolean

  readonly brandDocument: BrandDocument | null
  readonly crypto: { readonly address: string | null; readonly network: string | null } | null
  readonly voucher: { readonly reference: string; readonly expires: string | null; readonly url: string | null } | null
  /** The payer's destination while the payment waits for the payer. */
  readonly redirect: RedirectFacts | null
  readonly chargeback: { readonly at: Date; readonly bankDate: string; readonly reasonCode: string } | null
}

/** The acquirer's references of a transaction. A refund has its own; those of its sale are never shown for it. */
export const acquirerReferences = ['arn', 'rrn', 'approvalCode', 'gatewayId', 'extraGatewayId'] as const
export type AcquirerReferences = Texts<(typeof acquirerReferences)[number]>

/** Texts of a merchant's request that are stored with the payment. Parameters use the wire's form of the name: `moto_type`. */
export const requestTexts = [
  // As sent, including `ecommerce`.
  'motoType',
] as const
export type RequestTexts<Text extends string | null = string | null> = Texts<(typeof requestTexts)[number], Text>

/** Facts of one text. The example payments and their tests are made from this list. */
export const textFacts = [
  'descriptor',
  'declineReason',
  // The recipient's card of a transfer, masked.
  'payeeCardMask',
  // The payer's address, or that of the system which stands for the payer (chapter 30 §5.5).
  'ip',
  'language',
  // The wallet's name as the merchant wrote it; an alias is echoed.
  'digitalWallet',
  ...requestTexts,
  // The token issued for the saved card, or the one the payment was made with.
  'cardToken',
  'networkTransactionId',
  // The method in Checkout's words: `card`, the wallet's name decrypted or not, else the brand's code.
  'checkoutMethod',
] as const
type TextFacts = Texts<(typeof textFacts)[number]>

export type Texts<Fact extends string, Text = string | null> = { readonly [Name in Fact]: Text }

/** A text for each fact of a list. */
export function textsOf<Fact extends string, Text extends string | null>(
  facts: readonly Fact[],
  textOf: (fact: Fact) => Text,
): Texts<Fact, Text> {
  const texts: Record<string, Text> = {}
  for (const fact of facts) texts[fact] = textOf(fact)
  // Every name of the type was written just above.
  return texts as Texts<Fact, Text>
}

interface MidFacts {
  readonly name: string
  readonly connectorTitle: string
  readonly overrideLinkTarget: LinkTarget | null
}

interface OrderFacts {
  readonly id: string
  readonly description: string
  /** Null for an open-amount crypto order until money arrives. */
  readonly amountMinor: bigint | null
  readonly amountDecimals: number
  readonly currency: string
  /** The merchant's own text, which Checkout echoes byte for byte (chapter 30 §3.3). */
  readonly amountAsSent: string | null
}

export interface TransactionFacts {
  readonly id: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly amountMinor: bigint
  readonly at: Date
  readonly creditvoidId: string | null
}

export interface CardOfPayment {
  readonly mask: string
  readonly pan10: string
  readonly expiryMonth: number | null
  readonly expiryYear: number | null
  readonly network: string | null
  readonly issuerCountry: string | null
  readonly issuerBank: string | null
}

interface StoredCredentialOfPayment {
  readonly initiator: 'cardholder' | 'merchant'
  readonly sequence: 'initial' | 'subsequent'
  readonly source: 'card_token' | 'recurring' | 'schedule'
}

interface ExchangeFacts {
  readonly rate: string
  /** The first leg of a double exchange. */
  readonly rateBase: string | null
  readonly currency: string
  readonly amount: string
}

interface RecurringFacts {
  readonly initTransId: string
  readonly token: string
  /** This payment starts the chain; otherwise it is charged on it. */
  readonly init: boolean
}

interface ScheduleFacts {
  readonly id: string
  /** `schedule_start_date` and `payment_schedule_amount` as sent; null when they were not. */
  readonly startDate: string | null
  readonly amount: string | null
  /** `first_recurring_date`, once it is known. */
  readonly firstDate: string | null
}

interface RedirectFacts {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly params: Readonly<Record<string, string>>
}

export type BrandDocument = 'payment_document_card' | 'payment_document_virtual' | 'payment_document_crypto'

/** Names and postal addresses of a payer or a payee. The IP address is `ip` of the payment. */
export const payerFacts = [
  'firstName',
  'lastName',
  'middleName',
  'birthDate',
  'address',
  'address2',
  'houseNumber',
  'phoneCountryCode',
  'country',
  'state',
  'city',
  'district',
  'zip',
  'email',
  'phone',
] as const
export type PayerFacts = Texts<(typeof payerFacts)[number]>

/** The nine 3DS attributes that a mapping can select. Chapter 50 §2. */
export const threeDsFacts = [
  'threeDSServerTransID',
  'dsTransID',
  'acsTransID',
  'xid',
  'transStatus',
  'transStatusReason',
  'eci',
  'protocolVersion',
  'authenticationFlow',
] as const
export type ThreeDsFacts = Texts<(typeof threeDsFacts)[number]>

/**
 * Whether a proof of the payer's authentication goes to the acquirer with the charge. If our own authentication ended without a proof,
 * because the issuer was unable to decide (U) or answered for information only (I), the charge continues as if none had been tried. A
 * merchant's own proof is always passed on; only our own authentication has a flow.
 */
export function hasProof(threeDs: ThreeDsFacts | null | undefined): boolean {
  if (!threeDs) return false
  const isOurs = (threeDs.authenticationFlow ?? null) !== null
  return !isOurs || (threeDs.transStatus !== 'U' && threeDs.transStatus !== 'I')
}

/** The ten browser attributes of the interface, as the text that callbacks show. */
export const browserFacts = [
  'colorDepth',
  'screenHeight',
  'screenWidth',
  'javaEnabled',
  'javascriptEnabled',
  'language',
  'timezoneOffset',
  'userAgent',
  'acceptHeaders',
  'platform',
] as const
export type BrowserFacts = Texts<(typeof browserFacts)[number]>
