/** What a payment needs to know of a merchant's wallet: whether it may be used, and the keys that decrypt its tokens. Chapter 40 §3, §9. */
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Recipients } from './formats/wallet-b-signature.ts'
import type { AuthMethod, CheckRecord } from './opened-token.ts'
import type { ActiveKey } from './processing-key.ts'
import type { WalletATrust, WalletBTrust } from './trust.ts'

export interface WalletAccounts {
  /** Null if the merchant has no settings for the wallet in that mode, or if there is no trust anchor for its tokens. */
  find(merchantId: string, mode: Mode, wallet: Wallet): Promise<WalletAccount | null>
  /** A verified token was decrypted by the key with this fingerprint: a `next` key is promoted (chapter 40 §5). */
  recordOpened(account: WalletAccount, fingerprint: string): Promise<void>
  /** A genuine token named no active key; the third in an hour raises the alert (chapter 40 §6). */
  recordUnmatched(account: WalletAccount): Promise<void>
  /** A sandbox token was sent to a live instance: raises an alert (chapter 40 §14). */
  recordSandboxToken(account: WalletAccount, orderId: string): Promise<void>
  /** No root key signed a token of wallet B. Returns the account with the wallet provider's current keys, or null if they are unchanged. */
  recordUnknownRoot(account: WalletAccount): Promise<WalletAccount | null>
}

interface AccountFacts {
  readonly merchantId: string
  readonly mode: Mode
  /** Enabled, and in the state `live` or `degraded`. */
  readonly usable: boolean
  /** The keys that may decrypt now; none means virtual flow. */
  readonly keys: readonly ActiveKey[]
  /** Tokens come from the sandbox authority. */
  readonly sandbox: boolean
}

export interface WalletAAccount extends AccountFacts {
  readonly wallet: 'walletapay'
  /** Null only without keys: decryption needs it. */
  readonly merchantIdentifier: string | null
  readonly trust: WalletATrust
  /** Serials of certificates that the operator refuses, in hexadecimal. */
  readonly deniedSerials: ReadonlySet<string>
  readonly lifetimeSeconds: number
}

export interface WalletBAccount extends AccountFacts {
  readonly wallet: 'walletbpay'
  readonly trust: WalletBTrust
  readonly recipients: Recipients
  /** Checkout only. */
  readonly authMethods: readonly AuthMethod[]
}

export type WalletAccount = WalletAAccount | WalletBAccount

/** "Refused wallet tokens": support reads them, merchants never see them (chapter 40 §15). */
export interface RefusedTokens {
  add(refused: RefusedToken): Promise<void>
}

interface RefusedToken {
  /** Empty if the request has no id. */
  readonly requestId: string
  readonly merchantId: string
  readonly mode: Mode
  readonly orderId: string | null
  readonly protocol: Protocol
  readonly at: Date
  readonly record: CheckRecord
}

/** Merchant validation on the web (chapter 40 §16). */
export interface WalletSessions {
  open(ask: SessionRequest): Promise<SessionAnswer>
}

interface SessionRequest {
  readonly merchantId: string
  readonly mode: Mode
  /** The host of the page that shows the button. */
  readonly domain: string
  /** The address that the payer's browser received; used only if its host is on the operator's list. */
  readonly validationUrl: string | null
}

type SessionAnswer =
  /** The wallet provider's object unchanged: it is signed, used once and never stored. */
  | { readonly ok: true; readonly session: string }
  | { readonly ok: false; readonly because: 'domain' | 'not usable' | 'not available' }

/** The buttons of a page (chapter 40 §17). */
export interface WalletButtons {
  find(
    place: { readonly merchantId: string; readonly mode: Mode; readonly wallet: Wallet },
    page: { readonly host: string; readonly secure: boolean },
  ): Promise<
    | { readonly kind: 'shown'; readonly button: WalletButton }
    | { readonly kind: 'missing'; readonly reason: ButtonReason }
  >
  /** Whether the host is a domain of the merchant that shows buttons. */
  isDomain(merchantId: string, host: string): Promise<boolean>
  /** Records why a page showed no button. The page does not wait for it. */
  recordMissed(
    place: { readonly merchantId: string; readonly mode: Mode; readonly wallet: Wallet },
    missing: MissingButton,
  ): void
}

export interface MissingButton {
  readonly reason: MissingReason
  /** Who found it; what a browser reports cannot be trusted. */
  readonly source: 'service' | 'browser'
}

/** Rows 2 and 4 of chapter 40 §17. */
type ButtonReason = 'not enabled' | 'lapsed' | 'incomplete' | 'no https' | 'domain unverified'

/** Reasons that only the payer's browser knows: rows 4 to 6 of chapter 40 §17, and "Iframe". */
export type BrowserReason = 'no https' | 'frame' | 'no card' | 'browser unsupported'

/** The first row of chapter 40 §17 that does not hold. */
export type MissingReason =
  | ButtonReason
  | BrowserReason
  | 'not offered'
  | 'no mid'
  | 'needs card flow'
  /** A merchant's form without its own origin; see FORMS_DOMAIN. */
  | 'sandboxed form'

export interface WalletButton {
  readonly wallet: Wallet
  /** Tokens come from the sandbox authority, and the button from its stand-in. */
  readonly sandbox: boolean
  readonly country: string | null
  readonly shopName: string
  readonly merchantIdentifier: string | null
  readonly merchantCapabilities: readonly string[]
  readonly supportedNetworks: readonly string[]
  /** The following members apply to wallet B only. */
  readonly environment: 'PRODUCTION' | 'TEST'
  readonly gateway: string
  readonly gatewayMerchantId: string
  readonly authMethods: readonly AuthMethod[]
  readonly asksBillingAddress: boolean
  readonly asksPhone: boolean
}

/** The association files that prove domains to the wallet provider (chapter 40 §8). */
export interface WalletFiles {
  /** The file that the host serves; null for a host without an entry. */
  findOfHost(host: string): Promise<Buffer | null>
}
