/** Payment attributes stored as one JSON document: no state rule reads them, no index covers them. */
import type { Issuer } from '#domain/issuer.ts'
import type { Wallet } from '#domain/mid.ts'
import type { BrandDocument, BrowserFacts, RequestTexts, ThreeDsFacts } from '#domain/payment/facts.ts'
import type { WalletFlow } from '#domain/routing/choice.ts'
import type { Ending, NoCascadeReason } from '#domain/routing/ending.ts'
import type { LimitCounter } from '#domain/routing/limit-use.ts'
import type { AcquirerFacts } from '../connectors/connector.ts'
import type { Assurance, CheckRecord, NumberKind, PanType } from '../wallets/tokens/opened-token.ts'
import type { ScheduleRequest } from './plan-records.ts'

export interface StoredCredentialFacts {
  readonly initiator: 'cardholder' | 'merchant'
  readonly sequence: 'initial' | 'subsequent'
  readonly source: 'card_token' | 'recurring' | 'schedule'
}

/** The stored attributes of a wallet token: never its text, card number or cryptogram. Chapter 40 §10, §15. */
export interface WalletFacts {
  readonly name: Wallet
  /** The name as the merchant wrote it, because answers echo an alias. */
  readonly sentAs: string
  readonly flow: WalletFlow
  /** Null if the token was not decrypted. */
  readonly panType: PanType | null
  readonly numberKind: NumberKind | null
  /** Unsigned, for display only. */
  readonly displayName: string | null
  readonly networkLabel: string | null
  readonly deviceId: string | null
  readonly eci: string | null
  /** The type of the payment data, which a repeated send must name; absent if the token was not decrypted. */
  readonly dataType?: '3DSecure' | 'EMV'
  /** Wallet B: what the wallet provider has verified. */
  readonly assurance?: Assurance
  readonly checks: CheckRecord
}

/** The brand at the time of the payment; later versions do not change it. Chapter 20 §5.1. */
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
  /** The deadline for the payer's action, as an ISO timestamp. */
  readonly expiresAt: string
  readonly sandboxBehaviour: string | null
}

/** Payment attributes stored as one JSON document: no state rule reads them, no index covers them. */
export interface StoredFacts extends Partial<RequestTexts<string>> {
  readonly payerPresent?: boolean
  /** The token for the saved card. It becomes usable, and is reported, once the payment succeeds. */
  readonly issuedToken?: string
  readonly storedCredential?: StoredCredentialFacts
  readonly network?: string
  /** From the operator's issuer table; the acquirer's own data has precedence. */
  readonly issuer?: Issuer
  /** The authentication as `mpi_data` gave it or as it was collected. The authentication value is never stored. */
  readonly threeDs?: ThreeDsFacts
  readonly browser?: BrowserFacts
  /** Where the payer's browser goes at the end, and in which window. */
  readonly termUrl?: string
  readonly termTarget?: string
  /** Where the payer was sent, as reported to the merchant. */
  readonly redirect?: {
    readonly url: string
    readonly method: 'GET' | 'POST'
    readonly params: Readonly<Record<string, string>>
  }
  /** The first payment of a chain. The token is reported once the payment succeeds. */
  readonly recurringInit?: boolean
  readonly recurringToken?: string
  /** The id of the chain's first payment; on that payment its own id. */
  readonly recurringFirst?: string
  readonly schedule?: ScheduleRequest
  /** The schedule of the chain when it was charged by request. Checkout only. */
  readonly chainSchedule?: string
  /** `callback_url` of a payment that starts a plan; the plan's payments reuse it. */
  readonly sentCallbackUrl?: string
  /** The masked card of a transfer's recipient. */
  readonly payeeCardMask?: string
  readonly payeeCardId?: string
  /** Made by a plan. */
  readonly planned?: boolean
  readonly chargeback?: { readonly at: string; readonly bankDate: string; readonly reasonCode: string }
  readonly wallet?: WalletFacts
  readonly brand?: BrandFacts
  /** Minor units as text, already included in the payment's amount. Chapter 20 §12.2. */
  readonly commissionMinor?: string
  /** The payer chooses the amount: it is unknown until the money arrives. */
  readonly openAmount?: boolean
  /** Checkout: the amount as the merchant wrote it, which every answer repeats. */
  readonly amountAsSent?: string
  /** Minor units as text. Checkout with `vat_calc`. */
  readonly vatMinor?: string
  /** The payer's consent to later charges; chapter 30 §7.5. */
  readonly consent?: { readonly id: string | null; readonly state: 'active' | 'cancelled' | 'ignored' }
  /** Checkout: the latest time by which the payer must be back from another page, as an ISO timestamp. Chapter 30 §6.3. */
  readonly payerUntil?: string
  /** The limits that the payment counts towards, until it is declined. */
  readonly limits?: readonly (Omit<LimitCounter, 'currency'> & Partial<Pick<LimitCounter, 'currency'>>)[]
  /** The MIDs for further attempts; absent with a single MID and the usual maximum. */
  readonly cascade?: CascadeFacts
  /** Why no further attempt was made although one was possible. */
  readonly cascadeEnd?: Ending
  /**
   * The issuer demanded 3-D Secure and one attempt of this cascade repeated the payment with it: at the MID that declined, or at the next.
   */
  readonly stepUp?: 'here' | 'elsewhere'
  /** What the acquirer reported about the first step. */
  readonly acquirer?: AcquirerFacts
}

interface CascadeFacts {
  readonly maximum: number
  /** The MIDs of the routing order after this payment's own. */
  readonly left: readonly RemainingMid[]
  /** Why the cascade may not use other MIDs, whatever the routing order says. */
  readonly stays?: NoCascadeReason
}

export interface RemainingMid {
  readonly midId: string
  readonly mappingId: string
  readonly holds: boolean
}
