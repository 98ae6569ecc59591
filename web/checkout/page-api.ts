/**
 * What the page and its server say to each other: JSON over `/page/v1/…`, same origin, header `Token`. Chapter 30 §7.10.
 *
 * The shell at `/auth/{token}` has one element `#checkout`. Its attribute `data-language` names the language that the page begins in,
 * and `data-languages` is a JSON object from language code to the address of its texts. The token stands in the page's address only.
 */
import type { LanguageCode } from '#domain/place/language.ts'

/** As the server sees it; what only a browser knows is in `state/phase.ts`. */
export type SessionState =
  | 'ready'
  | 'declined'
  /** An attempt is being sent, here or in another tab. */
  | 'busy'
  /** The payer is at the bank, or at the method's own page. */
  | 'away'
  | 'waiting'
  | 'undefined'
  | 'limit'
  | 'expired'
  | 'complete'
  | 'closed'

export type LinkTarget = '_self' | '_parent' | '_top' | '_blank'

/** Where the payer goes next. */
export interface Redirect {
  readonly url: string
  readonly target: LinkTarget
  /** Inside a frame the payer has to press Continue. */
  readonly continue: boolean
}

export interface OrderView {
  readonly number: string
  /** Null while the payer may choose it. */
  readonly amount: string | null
  readonly currency: string
  readonly description: string
}

/** One thing that the page has to ask, named by its place in the body of the payment call. */
export interface FieldView {
  /** `card.number`, `customer.email`, `billing_address.country`, `payee.name`, `fields.document_number`, … */
  readonly name: string
  readonly required: boolean
  /** In the language that was asked for; null where the page has its own. */
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
  /** The wallet's own names for them. */
  readonly networks: readonly string[]
  /** The session's binding value, base64. */
  readonly application_data: string | null
  /** Script to load when the browser has nothing built in; null when there is none. */
  readonly script: string | null
  readonly script_integrity: string | null
  /** Wallet B only. */
  readonly environment: 'TEST' | 'PRODUCTION' | null
  readonly auth_methods: readonly string[]
  /** What the maker's sheet is to ask for besides the card. */
  readonly asks_address: boolean
  readonly asks_phone: boolean
  readonly gateway: string | null
  readonly gateway_merchant_id: string | null
  readonly merchant_key: string
  /** The merchant's name at the maker. */
  readonly merchant_id: string | null
}

export interface MethodView {
  readonly code: string
  /** `form` asks for fields of the brand; `redirect` leads away. */
  readonly kind: 'card' | 'wallet' | 'form' | 'redirect'
  readonly title: string | null
  /** Address of an image. */
  readonly logo: string | null
  readonly fields: readonly FieldView[]
  /** Whether the checkbox of terms stands before it. */
  readonly terms: boolean
  /** Card networks that a MID serves; empty where that says nothing. */
  readonly networks: readonly string[]
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
  /** What is paid, VAT included. */
  readonly total: string | null
  /** Free text, shown as it is. */
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
  /** Null when there are none to accept. */
  readonly terms: { readonly url: string } | null
  readonly schedule: ScheduleView | null
  /** Whether the payer is asked to agree to later payments. */
  readonly consent: boolean
  readonly cancel_url: string | null
  /** In states that lead away. */
  readonly redirect: Redirect | null
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

export interface CardEntry {
  readonly number: string
  /** `MM/YYYY`. */
  readonly expiry: string
  readonly cvv?: string
}

export interface PaymentOrder {
  readonly attempt_id: string
  readonly method: string
  readonly card?: CardEntry
  readonly card_token?: string
  /** These two belong to `card_token`. */
  readonly cvv?: string
  readonly expiry?: string
  /** The maker's token, as JSON text. */
  readonly wallet_token?: string
  /** What a brand asked for. */
  readonly fields?: Readonly<Record<string, string>>
  readonly customer: Readonly<Record<string, string>>
  readonly billing_address: Readonly<Record<string, string>>
  /** Payouts. */
  readonly payee?: Readonly<Record<string, string>>
  /** Transfers. */
  readonly payee_card?: { readonly number: string }
  readonly amount?: string
  readonly browser_info: BrowserInfo
  readonly terms: boolean
  readonly consent: boolean
  readonly language: LanguageCode
}

export interface PaymentAnswer {
  readonly result: 'success' | 'decline' | 'redirect' | 'waiting' | 'undefined'
  readonly payment_id: string
  readonly redirect: Redirect | null
  readonly decline_message: string | null
  readonly declines_left: number | null
}

/** What a payer must do elsewhere to pay. */
export type WaitingFor =
  | {
      readonly kind: 'crypto'
      readonly address: string
      readonly network: string | null
      readonly until: string | null
    }
  | { readonly kind: 'voucher'; readonly reference: string; readonly url: string | null; readonly until: string | null }

export interface StateAnswer {
  readonly state: SessionState
  readonly waiting_for: WaitingFor | null
  readonly payment_id: string | null
  readonly redirect: Redirect | null
  readonly decline_message: string | null
  readonly declines_left: number | null
}

/** The session as it is now, of which a sheet may show an older state. */
export interface SessionNow {
  readonly state: SessionState
  /** Rises with every change; null from a server that does not tell. */
  readonly version: number | null
  readonly total: string | null
  readonly currency: string | null
}

/** Why a wallet that is offered has no button here, as far as only the browser knows. Chapter 40 §17. */
export type BrowserReason = 'no https' | 'frame' | 'no card' | 'browser unsupported'

export interface CountryView {
  readonly value: string
  readonly text: string
  readonly regions: readonly { readonly value: string; readonly text: string }[] | null
}
