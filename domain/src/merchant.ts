/** A customer of the operator, as configuration. Secrets are in the vault and not part of this value. Chapter 50 §1. */
import { maskedAddress } from './address/callback-address.ts'
import type { Commissions } from './money/commission.ts'

export interface Merchant {
  readonly id: string
  /** The short name used by the command line and the panel; unique. */
  readonly name: string
  readonly title: string
  /** `client_key` on the S2S protocols, `merchant_key` on Checkout. */
  readonly key: string
  readonly testKey: string
  readonly contactEmail: string | null
  /** Addresses are in their stored form: a reference in place of credentials. */
  readonly notificationUrl: string | null
  readonly testNotificationUrl: string | null
  /** CIDR ranges or single addresses; an empty list allows every caller. */
  readonly allowedIps: readonly string[]
  readonly status: 'active' | 'blocked'
  /** Requests with the live key of such an account get 220002. */
  readonly testOnly: boolean
  readonly mpiService: 'none' | 'sandbox' | 'external'
  readonly defaultCurrency: string | null
  readonly timeZone: string
  /** Added to the debits of S2S APM. Chapter 20 §12.2. */
  readonly debitCommission: Commissions
  readonly ratePerSecond: number | null
  /** The percentage that `vat_calc` of Checkout adds, as written; null adds nothing. Chapter 30 §3.2. */
  readonly vatPercent: string | null
}

/** Whether a request or a payment uses the merchant's live key or its test key. */
export type Mode = 'live' | 'test'

/** By which payers' browsers and wallet providers know the merchant: no credential, unlike the keys. */
export const publicIdOf = ({ id }: Pick<Merchant, 'id'>, mode: Mode): string => (mode === 'live' ? id : `test-${id}`)

export const protocols = ['S2S_CARD', 'S2S_APM', 'CHECKOUT'] as const
export type Protocol = (typeof protocols)[number]

export const addressFields = ['notificationUrl', 'testNotificationUrl'] as const
export type AddressField = (typeof addressFields)[number]

/** For the panel and the audit log. */
export const withMaskedAddresses = <Shown extends Pick<Merchant, AddressField>>(merchant: Shown): Shown => ({
  ...merchant,
  notificationUrl: merchant.notificationUrl && maskedAddress(merchant.notificationUrl),
  testNotificationUrl: merchant.testNotificationUrl && maskedAddress(merchant.testNotificationUrl),
})
