/** Stripe's units, and the minor units of ISO 4217 in which the ledger is kept. */
import { exponentOf } from '#domain/money/money.ts'

const decimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 }
const longest: Readonly<Record<string, number>> = { IDR: 12, COP: 10, HUF: 10, JPY: 10, INR: 9 }
const smallest: Readonly<Record<string, number>> = { EUR: 50, USD: 50, GBP: 30 }

/** Why Stripe would not take the amount; null if it does. */
export function faultOf(
  amount: number,
  currency: string,
): 'amount_too_small' | 'amount_too_large' | 'parameter_invalid_integer' | null {
  if (!Number.isSafeInteger(amount) || amount < 0) return 'parameter_invalid_integer'
  if (amount < (smallest[currency] ?? 1)) return 'amount_too_small'
  if (String(amount).length > (longest[currency] ?? 8)) return 'amount_too_large'
  const step = currency === 'ISK' || currency === 'UGX' ? 100 : exponentOf(currency) === 3 ? 10 : 1
  return amount % step === 0 ? null : 'parameter_invalid_integer'
}

export function toMinor(amount: number, currency: string): string {
  const exponent = exponentOf(currency) ?? 2
  const shift = exponent - (decimals[currency] ?? exponent)
  return shift >= 0 ? `${amount}${'0'.repeat(shift)}`.replace(/^0+(?=\d)/, '') : String(amount / 10 ** -shift)
}
