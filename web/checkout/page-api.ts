/**
 * The API between the page and its server: JSON over `/page/v1/…`, same origin, header `Token`. Chapter 30 §7.10.
 *
 * The document at `/auth/{token}` has one element `#checkout`. Its attribute `data-language` is the initial language, and `data-languages`
 * is a JSON object from language code to the address of its texts. The token is only in the page's address.
 */
import type { LanguageCode } from '#domain/place/language.ts'

/** The state on the server; states that only the browser knows are in `state/phase.ts`. */
export type SessionState =
  | 'ready'
  | 'declined'
  /** An attempt is being sent, here or in another tab. */
  | 'busy'
  /** The payer is at the bank or at the method's own page. */
  | 'away'
  | 'waiting'
  | 'undefined'
  | 'limit'
  | 'expired'
  | 'complete'

export type LinkTarget = '_self' | '_parent' | '_top' | '_blank'

/** The next page for the payer. */
export interface Redirect {
  /** Whether the page may show it in a frame. */
  readonly frame?: boolean
  readonly url: string
  readonly target: LinkTarget
  /** Inside a frame the payer has to press Continue. */
  readonly continue: boolean
}

/** What the payer has left to confirm elsewhere; `redirect` of the answer leads there. */
export interface Confirmation {
  readonly where: 'bank' | 'method'
  /** Back to the shop without confirming. */
  readonly leave: Redirect | null
}

interface OrderView {
  readonly number: string
  /** Null while the payer may choose it. */
  readonly amount: string | null
  readonly currency: string
  readonly description: string
}

/** A field that the page has to ask for, named by its path in the body of the payment call. */
export interface FieldView {
  /** `card.number`, `customer.email`, `billing_address.country`, `payee.name`, `fields.document_number`, … */
  readonly name: string
  readonly required: boolean
  /** In the requested language; null if the page has its own title. */
  readonly title: string | null
  readonly type: string
  readonly min: number | null
  readonly max: number | null
  readonly pattern: string | null
  readonly values: readonly string[]
  readonly default: string | null
}

export interface WalletView {
  readonly country: string
  /** Shop Name. */
  readonly label: string
  readonly capabilities: readonly string[]
  /** In the wallet's own spelling. */
  readonly networks: readonly string[]
  /** The session's binding value, base64. */
  readonly application_data: string | null
  /** The script to load if the browser has no built-in support; null if there is none. */
  readonly script: string | null
  readonly script_integrity: string | null
  /** Wallet B only. */
  readonly environment: 'TEST' | 'PRODUCTION' | null
  readonly auth_methods: readonly string[]
  /** What the sheet requests in addition to the card. */
  readonly asks_address: boolean
  readonly asks_phone: boolean
  readonly gateway: string | null
  readonly gateway_merchant_id: string | null
  /** For the sandbox's replacement of the wallet. */
  readonly merchant_public_id: string
  /** The merchant's id at the wallet provider. */
  readonly merchant_id: string | null
}

export interface MethodView {
  readonly code: string
  /** `form` asks for fields of the brand; `redirect` leads to another page. */
  readonly kind: 'card' | 'wallet' | 'form' | 'redirect'
  readonly title: string | null
  /** Address of an image. */
  readonly logo: string | null
  /** What the page draws for a method without a logo. */
  readonly pictogram: 'card' | 'redirect' | 'voucher' | 'crypto' | 'direct'
  readonly fields: readonly FieldView[]
  /** Whether the terms must be accepted for this method. */
  readonly terms: boolean
  /** The card networks that a MID accepts; empty if unknown. */
  readonly networks: readonly string[]
  /** Addresses of the operator's own marks, by network; the page draws the others itself. */
  readonly marks: Readonly<Record<string, string>>
  readonly wallet: WalletView | null
}

export interface SavedCardView {
  readonly token: string
  readonly last: string
  readonly month: number
  readonly year: number
  readonly brand: string
  readonly cardholder_name: string | null
  readonly expired: boolean
  readonly asks: readonly ('cvv' | 'expiry')[]
}

export interface ScheduleView {
  readonly amount: string
  readonly interval: number
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** `YYYY-MM-DD`. */
  readonly first_date: string | null
}

export interface BrandingView {
  readonly merchant: string
  readonly logo: string | null
  readonly heading: string | null
  readonly background: string | null
  readonly button: string | null
}

export interface SessionView {
  readonly state: SessionState
  readonly operation: 'purchase' | 'debit' | 'credit' | 'transfer'
  readonly auth: boolean
  readonly test: boolean
  readonly moto: boolean
  readonly order: OrderView
  readonly vat_amount: string | null
  /** The amount to pay, VAT included. */
  readonly total: string | null
  /** Free text, shown unchanged. */
  readonly crypto_network: string | null
  readonly expires_at: string
  readonly server_time: string
  readonly language: LanguageCode
  readonly branding: BrandingView
  readonly methods: readonly MethodView[]
  readonly card_tokens: readonly SavedCardView[]
  readonly customer: Readonly<Record<string, string>>
  readonly billing_address: Readonly<Record<string, string>>
  readonly declines: { readonly count: number; readonly max: number }
  /** Null if there are no terms to accept. */
  readonly terms: { readonly url: string } | null
  readonly schedule: ScheduleView | null
  /** Whether the payer is asked to agree to later payments. */
  readonly consent: boolean
  readonly cancel_url: string | null
  readonly url_target: LinkTarget
  /** In states that lead to another page. */
  readonly redirect: Redirect | null
  readonly confirmation: Confirmation | null
  readonly decline_message: string | null
  readonly waiting_for: WaitingFor | null
}

export interface BrowserInfo {
  readonly user_agent: string
  readonly language: string
  readonly color_depth: string
  readonly screen_height: string
  readonly screen_width: string
  readonly timezone_offset: string
  readonly java_enabled: string
  readonly javascript_enabled: string
  readonly platform: string
}

interface CardEntry {
  readonly number: string
  /** `MM/YYYY`. */
  readonly expiry: string
  readonly cvv?: string
}

export interface PaymentBody {
  readonly attempt_id: string
  readonly method: string
  readonly card?: CardEntry
  readonly card_token?: string
  /** These two belong to `card_token`. */
  readonly cvv?: string
  readonly expiry?: string
  /** The wallet's token, as JSON text. */
  readonly wallet_token?: string
  /** The fields of a brand. */
  readonly fields?: Readonly<Record<string, string>>
  readonly customer: Readonly<Record<string, string>>
  readonly billing_address: Readonly<Record<string, string>>
  /** For payouts. */
  readonly payee?: Readonly<Record<string, string>>
  /** For transfers. */
  readonly payee_card?: { readonly number: string }
  readonly amount?: string
  /** What the payer saw; nothing else is charged. Without an amount the payer could still choose it. */
  readonly shown: { readonly amount?: string; readonly currency: string }
  readonly browser_info: BrowserInfo
  readonly terms: boolean
  readonly consent: boolean
  readonly language: LanguageCode
}

export interface PaymentAnswer {
  readonly result: 'success' | 'decline' | 'redirect' | 'waiting' | 'undefined'
  readonly payment_id: string
  readonly redirect: Redirect | null
  readonly confirmation: Confirmation | null
  readonly decline_message: string | null
  /** Whether the payer may try the declined card again. */
  readonly same_card: boolean
  readonly declines_left: number | null
}

/** What the payer must do elsewhere to pay. */
export type WaitingFor =
  | {
      readonly kind: 'crypto'
      readonly address: string
      readonly network: string | null
      /** What to send there, in the crypto currency; null if the acquirer did not say it. */
      readonly amount: string | null
      readonly currency: string | null
      /** The address as a QR code: the side in modules, and the path of its dark ones. */
      readonly qr: { readonly size: number; readonly path: string } | null
      readonly until: string | null
    }
  | { readonly kind: 'voucher'; readonly reference: string; readonly url: string | null; readonly until: string | null }

export interface StateAnswer {
  readonly state: SessionState
  readonly waiting_for: WaitingFor | null
  readonly payment_id: string | null
  readonly redirect: Redirect | null
  readonly confirmation: Confirmation | null
  readonly decline_message: string | null
  /** Whether the payer may try the declined card again. */
  readonly same_card: boolean
  readonly declines_left: number | null
}

/** The current session; a sheet may show an older version. */
export interface StateAndTotal {
  readonly state: SessionState
  /** Increases with every change; null from an older server. */
  readonly version: number | null
  readonly total: string | null
  readonly currency: string | null
}

/** Why an offered wallet has no button here, as far as only the browser knows. Chapter 40 §17. */
export type BrowserReason = 'no https' | 'frame' | 'no card' | 'browser unsupported'

export interface CountryView {
  readonly value: string
  readonly text: string
  readonly calling_code: string | null
  readonly regions: readonly { readonly value: string; readonly text: string }[] | null
}
