/** What a payment needs to know of a merchant's wallet: whether it may be used, and what opens its tokens. Chapter 40 §3, §9. */
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Recipients } from './formats/wallet-b-signature.ts'
import type { AuthMethod, CheckRecord } from './opened-token.ts'
import type { ActiveKey } from './processing-key.ts'
import type { WalletATrust, WalletBTrust } from './trust.ts'

export interface WalletAccounts {
  /** Null when the merchant has no settings for the wallet on that side, or when nobody is known whom its tokens could be believed. */
  of(merchantId: string, mode: Mode, wallet: Wallet): Promise<WalletAccount | null>
  /** A verified token was opened by the key with this fingerprint: one that was `next` is promoted (chapter 40 §5). */
  opened(account: WalletAccount, fingerprint: string): Promise<void>
  /** A genuine token named no active key; the third in an hour raises the alarm (chapter 40 §6). */
  unmatched(account: WalletAccount): Promise<void>
  /** A token of a sandbox was sent to a live instance: an alarm (chapter 40 §14). */
  sandboxToken(account: WalletAccount, orderId: string): Promise<void>
  /** No root key signed a token of wallet B: the account with the keys that the maker lists now, or null when they are the same. */
  unknownRoot(account: WalletAccount): Promise<WalletAccount | null>
}

interface AccountFacts {
  readonly merchantId: string
  readonly mode: Mode
  /** Enabled, and in the state `live` or `degraded`. */
  readonly usable: boolean
  /** Those that may decrypt now; none means virtual flow. */
  readonly keys: readonly ActiveKey[]
  /** Tokens are those of the sandbox authority. */
  readonly sandbox: boolean
}

export interface WalletAAccount extends AccountFacts {
  readonly wallet: 'walletapay'
  /** Null only without keys: it takes part in the decryption. */
  readonly merchantIdentifier: string | null
  readonly trust: WalletATrust
  /** Serials of certificates that the operator refuses, as hexadecimal. */
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

/** "Refused wallet tokens": what support reads, and merchants never see (chapter 40 §15). */
export interface RefusedTokens {
  add(refused: RefusedToken): Promise<void>
}

interface RefusedToken {
  /** Empty when nobody gave the request one. */
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
  open(ask: SessionAsk): Promise<SessionAnswer>
}

interface SessionAsk {
  readonly merchantId: string
  readonly mode: Mode
  /** The host of the page that shows the button. */
  readonly domain: string
  /** Where the payer's browser was told to go; used only when its host is on the operator's list. */
  readonly validationUrl: string | null
}

type SessionAnswer =
  /** The maker's object as it came: it is signed, used once, and never kept. */
  | { readonly ok: true; readonly session: string }
  | { readonly ok: false; readonly because: 'domain' | 'not usable' | 'not available' }

/** The buttons of a page (chapter 40 §17). */
export interface WalletButtons {
  of(
    place: { readonly merchantId: string; readonly mode: Mode; readonly wallet: Wallet },
    page: { readonly host: string; readonly secure: boolean; readonly merchantKey: string },
  ): Promise<{ readonly button: WalletButton } | { readonly reason: ButtonReason }>
  /** Whether the host is a domain of the merchant's that shows buttons. */
  isDomain(merchantId: string, host: string): Promise<boolean>
  /** Keeps why a page showed none, for whoever asks later. Nobody waits for it. */
  missed(
    place: { readonly merchantId: string; readonly mode: Mode; readonly wallet: Wallet },
    missing: MissingButton,
  ): void
}

export interface MissingButton {
  readonly reason: MissingReason
  /** Who found it: a browser may say anything. */
  readonly source: 'service' | 'browser'
}

/** Rows 2 and 4 of chapter 40 §17. */
type ButtonReason = 'not enabled' | 'lapsed' | 'no https' | 'domain unverified'

/** What only the payer's browser knows: rows 4 to 6 of chapter 40 §17, and "Iframe". */
export type BrowserReason = 'no https' | 'frame' | 'no card' | 'browser unsupported'

/** The first row of chapter 40 §17 that does not hold. */
export type MissingReason =
  | ButtonReason
  | BrowserReason
  | 'not offered'
  | 'no mid'
  | 'needs card flow'
  /** A merchant's form that has no origin; see FORMS_DOMAIN. */
  | 'sandboxed form'

export interface WalletButton {
  readonly wallet: Wallet
  /** Tokens come from the sandbox's authority, and the button from its stand-in. */
  readonly sandbox: boolean
  readonly country: string | null
  readonly shopName: string
  readonly merchantIdentifier: string | null
  readonly merchantCapabilities: readonly string[]
  readonly supportedNetworks: readonly string[]
  /** From here on wallet B alone. */
  readonly environment: 'PRODUCTION' | 'TEST'
  readonly gateway: string
  readonly gatewayMerchantId: string
  readonly authMethods: readonly AuthMethod[]
  readonly asksBillingAddress: boolean
  readonly asksPhone: boolean
}

/** The files that prove domains to the maker (chapter 40 §8). */
export interface WalletFiles {
  /** What the host serves; null for one that is not in the table. */
  ofHost(host: string): Promise<Buffer | null>
}
