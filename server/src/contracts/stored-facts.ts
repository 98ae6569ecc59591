/** What is kept of a payment that no rule and no key needs, in our words. */
import type { Issuer } from '#domain/issuer.ts'
import type { Wallet } from '#domain/mid.ts'
import type { BrandDocument, BrowserFacts, ThreeDsFacts } from '#domain/payment/facts.ts'
import type { WalletFlow } from '#domain/routing/choice.ts'
import type { Ending, Stays } from '#domain/routing/ending.ts'
import type { CountedIn } from '#domain/routing/limit-use.ts'
import type { AcquirerFacts } from '../connectors/connector.ts'
import type { Assurance, CheckRecord, NumberKind, PanType } from '../wallets/tokens/opened-token.ts'
import type { ScheduleWish } from './plan-records.ts'

export interface StoredCredentialFacts {
  readonly initiator: 'cardholder' | 'merchant'
  readonly sequence: 'initial' | 'subsequent'
  readonly source: 'card_token' | 'recurring' | 'schedule'
}

/** What is kept of a wallet's token: never its text, its number or its cryptogram. Chapter 40 §10, §15. */
export interface WalletFacts {
  readonly name: Wallet
  /** As the merchant wrote it; an alias is echoed. */
  readonly sentAs: string
  readonly flow: WalletFlow
  /** Null when the token was not opened. */
  readonly panType: PanType | null
  readonly numberKind: NumberKind | null
  /** Unsigned, for display only. */
  readonly displayName: string | null
  readonly networkLabel: string | null
  readonly deviceId: string | null
  readonly eci: string | null
  /** What a repeated send has to name its data by; absent when the token was not opened. */
  readonly dataType?: '3DSecure' | 'EMV'
  /** Wallet B: what the maker vouches for. */
  readonly assurance?: Assurance
  readonly checks: CheckRecord
}

/** The brand as it was when the payment was made; later versions of it change nothing. Chapter 20 §5.1. */
export interface BrandFacts {
  readonly code: string
  readonly sentAs: string
  readonly kind: string
  readonly version: number
  readonly identifier: string | null
  readonly cryptoNetwork: string | null
  readonly checkoutName: string
  readonly document: BrandDocument
  readonly waiting: 'prepare' | 'pending' | 'redirect'
  readonly refund: 'none' | 'full' | 'partial'
  readonly partialCapture: boolean
  readonly void: boolean
  /** Until when the payer may act, as an ISO moment. */
  readonly expiresAt: string
  readonly sandboxBehaviour: string | null
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
  /** The schedule that the chain was on when it was charged by request. Checkout only. */
  readonly chainSchedule?: string
  /** `callback_url` of a payment that starts a plan: the plan's payments have it too. */
  readonly sentCallbackUrl?: string
  /** The masked card of a transfer's recipient. */
  readonly payeeCardMask?: string
  readonly payeeCardId?: string
  /** Fired by a plan. */
  readonly planned?: boolean
  readonly chargeback?: { readonly at: string; readonly bankDate: string; readonly reasonCode: string }
  readonly wallet?: WalletFacts
  readonly brand?: BrandFacts
  /** Minor units as text, already part of the payment's amount. Chapter 20 §12.2. */
  readonly commissionMinor?: string
  /** The payer decides how much: the amount is not known until the money came. */
  readonly openAmount?: boolean
  /** Checkout: the amount as the merchant wrote it, which every answer repeats. */
  readonly amountAsSent?: string
  /** Minor units as text. Checkout with `vat_calc`. */
  readonly vatMinor?: string
  /** What the payer said to later charges; chapter 30 §7.5. */
  readonly consent?: { readonly id: string | null; readonly state: 'active' | 'cancelled' | 'ignored' }
  /** Checkout: when the payer's way elsewhere and back ends at the latest, as an ISO moment. Chapter 30 §6.3. */
  readonly payerUntil?: string
  /** The limits that it counts in, until it is declined. */
  readonly limits?: readonly CountedIn[]
  /** Where a cascade would go on; absent for a single MID and the usual maximum. */
  readonly cascade?: CascadeFacts
  /** Why no attempt followed this one, where one might have. */
  readonly cascadeEnd?: Ending
  /** The issuer's demand for 3-D Secure was met once in this cascade: at the MID that was declined, or at the next one. */
  readonly stepUp?: 'here' | 'elsewhere'
  /** What the acquirer told about the first step. */
  readonly acquirer?: AcquirerFacts
}

interface CascadeFacts {
  readonly maximum: number
  /** The MIDs of the route's order after this payment's own. */
  readonly left: readonly PlaceLeft[]
  /** Why there are no others, whatever the order says. */
  readonly stays?: Stays
}

export interface PlaceLeft {
  readonly midId: string
  readonly mappingId: string
  readonly holds: boolean
}
