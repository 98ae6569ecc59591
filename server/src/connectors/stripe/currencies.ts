/** Amounts as Stripe counts them: https://docs.stripe.com/currencies. */
import { acquirerAmounts } from '../amounts.ts'

/** Stripe takes MGA without decimals, and ISK and UGX with two that must be zero. */
const decimals = { MGA: 0, ISK: 2, UGX: 2 } as const

/** Stripe takes three decimals, of which the last must be zero. */
const multiples = {
  ISK: 100n,
  UGX: 100n,
  BHD: 10n,
  IQD: 10n,
  JOD: 10n,
  KWD: 10n,
  LYD: 10n,
  OMR: 10n,
  TND: 10n,
} as const

const amounts = acquirerAmounts(decimals, multiples)

/** The largest number of digits of an amount, where it is not eight. */
const digits: Readonly<Record<string, number>> = { IDR: 12, COP: 10, HUF: 10, JPY: 10, INR: 9 }

/** Null if Stripe cannot be asked for exactly this amount. */
export function toStripeAmount(amountMinor: bigint, currency: string): number | null {
  const amount = amounts.toAcquirer(amountMinor, currency)
  if (amount === null || String(amount).length > (digits[currency] ?? 8)) return null
  return Number(amount)
}

/** Null if it has no exact form in our minor units. `currency` as Stripe writes it, in lower case. */
export function fromStripeAmount(amount: number, currency: string): bigint | null {
  try {
    return amounts.fromAcquirer(BigInt(amount), currency.toUpperCase())
  } catch {
    // A currency that Gatehouse does not know.
    return null
  }
}
