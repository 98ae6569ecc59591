/** What the stand-in remembers of an order: one record with everything that hangs on it. Of a card the last four digits alone. */
import { exponentOf } from '#domain/money/money.ts'
import type { DisputeAnswer, DisputeState } from '../kit/dispute-pages.ts'

export interface Money {
  readonly currency_code: string
  readonly value: string
}

export interface Refund {
  readonly id: string
  readonly amount: Money
  readonly invoiceId: string | null
  readonly customId: string | null
}

export interface Capture {
  readonly id: string
  readonly amount: Money
  readonly status: 'COMPLETED' | 'DECLINED'
  readonly invoiceId: string | null
  readonly refunds: readonly Refund[]
  readonly dispute?: {
    readonly id: string
    readonly state: Exclude<DisputeState, 'none'>
    readonly answer?: DisputeAnswer
  }
}

interface Authorization {
  readonly id: string
  readonly status: 'CREATED' | 'CAPTURED' | 'PARTIALLY_CAPTURED' | 'VOIDED' | 'DENIED'
}

export interface StoredCard {
  readonly lastDigits: string
  readonly brand: string
  /** Undefined where the payer was not authenticated. */
  readonly authentication?: 'Y' | 'N'
  readonly vaultId: string | null
}

export interface StoredOrder {
  readonly id: string
  readonly account: string
  readonly createdAt: string
  readonly intent: 'CAPTURE' | 'AUTHORIZE'
  readonly status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  /** `reference_id` of the purchase unit. */
  readonly referenceId: string
  readonly customId: string | null
  readonly invoiceId: string | null
  readonly amount: Money
  /** Null if the payer pays with a PayPal account. */
  readonly card: StoredCard | null
  /** The processor response code with which the payment will be declined. */
  readonly rejection: string | null
  readonly pageKey: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly authorization: Authorization | null
  readonly captures: readonly Capture[]
}

/** Minor units of ISO 4217, whatever decimals PayPal takes. */
export function minorOf({ currency_code, value }: Money): bigint {
  const [whole = '0', part = ''] = value.split('.')
  const decimals = exponentOf(currency_code) ?? 2
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
}

const withoutDecimals: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD'])

export function moneyOf(minor: bigint, currency: string): Money {
  const decimals = exponentOf(currency) ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  const isWhole = decimals === 0 || withoutDecimals.has(currency)
  return { currency_code: currency, value: isWhole ? whole : `${whole}.${digits.slice(-decimals)}` }
}

/** The issue of PayPal's for an amount it does not take; null if it takes it. */
export function amountIssue({ currency_code, value }: Money): string | null {
  if (!/^[0-9]{1,20}(\.[0-9]{1,8})?$/.test(value)) return 'INVALID_PARAMETER_SYNTAX'
  const decimals = value.split('.')[1]?.length ?? 0
  if (withoutDecimals.has(currency_code) && decimals > 0) return 'DECIMALS_NOT_SUPPORTED'
  if (decimals > 2) return 'DECIMAL_PRECISION'
  return minorOf({ currency_code, value }) > 0n ? null : 'CANNOT_BE_ZERO_OR_NEGATIVE'
}

export const refundedMinor = ({ refunds }: Capture): bigint =>
  refunds.reduce((sum, { amount }) => sum + minorOf(amount), 0n)
