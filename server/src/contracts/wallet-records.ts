/** The stored records of a merchant's wallets: settings, keys, domains and alerts. Chapter 40 §3 to §8. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { JsonObject } from './json.ts'

/** Identifies a wallet's record: a merchant's, or the operator's own under the platform's id. */
export interface WalletRecordKey {
  readonly merchantId: string
  readonly mode: Mode
  readonly wallet: Wallet
}

export type WalletSetup = 'platform' | 'own_account'

/** The fields of the Wallets tab except keys and certificates; absent if not entered. */
export interface WalletFields {
  readonly merchantIdentifier?: string
  readonly country?: string
  readonly shopName?: string
  readonly merchantCapabilities?: readonly string[]
  readonly supportedNetworks?: readonly string[]
  readonly environment?: 'PRODUCTION' | 'TEST'
  readonly gateway?: string
  readonly gatewayMerchantId?: string
  readonly authMethods?: readonly ('PAN_ONLY' | 'CRYPTOGRAM_3DS')[]
  readonly billingAddress?: boolean
  readonly phone?: boolean
  /** Operator's record only: replaces the address of the wallet provider's session service. */
  readonly sessionUrl?: string
}

export interface WalletSettings extends WalletRecordKey {
  readonly setup: WalletSetup
  readonly enabled: boolean
  readonly trustSource: 'wallet maker' | 'sandbox authority'
  readonly fields: WalletFields
  /** Operator's record only: the file served on the service's own hosts and on platform merchants' domains. */
  readonly associationFile: Buffer | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type KeyRole = 'processing' | 'identity'
export type KeyState = 'next' | 'current' | 'retiring' | 'retired'

export interface WalletKeyRecord extends WalletRecordKey {
  readonly id: string
  readonly role: KeyRole
  readonly state: KeyState
  readonly type: 'EC' | 'RSA'
  /** PKCS#8 in base64, sealed; null once retired. */
  readonly privateSealed: Buffer | null
  readonly spki: Buffer
  /** SHA-256 of the SPKI, in hexadecimal and in base64. */
  readonly fingerprint: string
  readonly publicKeyHash: string
  /** The certificate request in PEM, if the key pair was generated here. */
  readonly request: string | null
  readonly certificate: string | null
  readonly certificateUntil: Date | null
  readonly until: Date | null
  readonly addedAt: Date
  readonly promotedAt: Date | null
  readonly retiredAt: Date | null
}

export type DomainState = 'new' | 'file ready' | 'verified' | 'failing' | 'suspended' | 'removed'

export interface WalletDomain {
  readonly merchantId: string
  readonly wallet: Wallet
  readonly domain: string
  readonly purpose: 'production' | 'test'
  readonly controlledBy: 'operator' | 'merchant'
  readonly state: DomainState
  /** Own-account merchants only: the file that the wallet provider issued for this domain. */
  readonly file: Buffer | null
  readonly fileSha256: string | null
  readonly lastCheck: Date | null
  /** `dns`, `connect`, `tls`, `timeout`, `redirect`, `status:<n>` or `body`. */
  readonly lastFault: string | null
  readonly verifiedSince: Date | null
  readonly succeededAt: Date | null
  readonly verifiedAtMaker: Date | null
  readonly addedAt: Date
  readonly nextCheck: Date | null
}

export interface WalletChange {
  readonly merchantId: string
  readonly mode: Mode | null
  readonly wallet: Wallet
  readonly at: Date
  readonly byUser: string
  readonly what: string
  readonly details: JsonObject
}

/** The kinds of wallet alerts. Chapter 40 §6, §8 and §14. */
export type WalletAlertKind =
  | 'wallet certificate expiry'
  | 'wallet expiry unknown'
  | 'wallet domain failing'
  | 'wallet domain suspended'
  | 'wallet session failing'
  | 'wallet root expiry'
  | 'wallet keys ending'
  | 'processing key mismatch'
  | 'sandbox token on live'

/** An alert that stays until it is resolved or muted. */
export interface WalletAlert extends WalletRecordKey {
  readonly kind: WalletAlertKind
  readonly subject: string
  readonly text: string
}
