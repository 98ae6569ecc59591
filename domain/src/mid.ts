/** A merchant account at an acquirer, and the link that lets a merchant use it. Chapter 50 §1. */
import type { PagePayerField } from './checkout/payer-fields.ts'
import type { Mode } from './merchant.ts'

export type PaymentMode = 'SMS' | 'DMS' | 'SMS/DMS'
export type LinkTarget = '_blank' | '_self' | '_parent' | '_top'
export const wallets = ['walletapay', 'walletbpay'] as const
export type Wallet = (typeof wallets)[number]

/** Actions that a payment may need; a connector offers one by implementing its method. */
export const midActions = ['sale', 'auth', 'debit', 'credit', 'transfer', 'recurring'] as const
export type MidAction = (typeof midActions)[number]

/** A limit that is not set does not apply (chapter 50 §3). */
export interface Limit {
  /** By currency, in its minor units; payments in other currencies are not limited by amount. Chapter 70 §2. */
  readonly amounts: Readonly<Record<string, bigint>>
  /** Of payments in all currencies together. */
  readonly count: number | null
}

export const noLimit: Limit = Object.freeze({ amounts: Object.freeze({}), count: null })

export interface Mid {
  readonly id: string
  /** Unique short name, shown as `mid_name`. */
  readonly name: string
  readonly connector: string
  readonly mode: Mode
  readonly enabled: boolean
  readonly paymentMode: PaymentMode
  /** An empty list means every currency, network or brand that the connector takes. */
  readonly currencies: readonly string[]
  readonly networks: readonly string[]
  readonly brands: readonly string[]
  /** False for a MID that serves alternative methods only. */
  readonly cards: boolean
  readonly actions: readonly MidAction[]
  readonly wallets: readonly Wallet[]
  /** What the hosted page asks a card payer for, because the acquirer wants it. */
  readonly payerFields: readonly PagePayerField[]
  readonly motoEnabled: boolean
  readonly cardOnFileEnabled: boolean
  readonly zeroAmount: boolean
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  readonly overrideLinkTarget: LinkTarget | null
  readonly descriptor: string
  readonly dayLimit: Limit
  readonly monthLimit: Limit
  /** Where the financial day begins: time of day and IANA zone. */
  readonly cutOff: string
  readonly timeZone: string
  /** Holds are captured automatically after this many hours; null switches it off. */
  readonly autoCaptureHours: number | null
}

export interface MerchantMapping {
  readonly id: string
  readonly merchantId: string
  readonly midId: string
  /** Matched with `channel_id`; null serves requests without a channel. */
  readonly channel: string | null
  /** The smaller number goes first; among equals a draw by weight decides. */
  readonly priority: number
  readonly weight: number
  readonly dayLimit: Limit
  readonly weekLimit: Limit
  readonly enabled: boolean
}
