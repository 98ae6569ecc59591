/**
 * Amounts in the acquirer's own minor units, which differ from ISO 4217 for some currencies.
 *
 * An amount that has no exact form at the acquirer, such as 0.50 in a currency that it takes without decimals, is null: it is never rounded,
 * since the payer would be charged another amount than was asked for.
 */
import { exponentOf } from '#domain/money/money.ts'

export interface AcquirerAmounts {
  /** Null if the acquirer cannot be asked for exactly this amount. */
  toAcquirer(amountMinor: bigint, currency: string): bigint | null
  /** Null if it has no exact form in our minor units. */
  fromAcquirer(amount: bigint, currency: string): bigint | null
  /** Writes the amount with a decimal point and the acquirer's number of decimals: `10.00`. */
  toDecimal(amountMinor: bigint, currency: string): string | null
  fromDecimal(text: string, currency: string): bigint | null
}

/** `exceptions`: decimals by currency, where the acquirer's differ. `multiples`: the smallest step of a currency, in the acquirer's units. */
export function acquirerAmounts(
  exceptions: Readonly<Record<string, number>> = {},
  multiples: Readonly<Record<string, bigint>> = {},
): AcquirerAmounts {
  const decimalsAt = (currency: string): number => exceptions[currency] ?? decimalsOf(currency)
  const toAcquirer = (amountMinor: bigint, currency: string): bigint | null => {
    const amount = rescale(amountMinor, decimalsOf(currency), decimalsAt(currency))
    return amount !== null && amount % (multiples[currency] ?? 1n) === 0n ? amount : null
  }
  const fromAcquirer = (amount: bigint, currency: string): bigint | null =>
    rescale(amount, decimalsAt(currency), decimalsOf(currency))
  return {
    toAcquirer,
    fromAcquirer,
    toDecimal: (amountMinor, currency) => {
      const amount = toAcquirer(amountMinor, currency)
      return amount === null ? null : withPoint(amount, decimalsAt(currency))
    },
    fromDecimal: (text, currency) => {
      const { whole, part = '' } = /^(?<whole>[0-9]{1,30})(?:\.(?<part>[0-9]{1,8}))?$/.exec(text)?.groups ?? {}
      return whole === undefined ? null : rescale(BigInt(whole + part), part.length, decimalsOf(currency))
    },
  }
}

function decimalsOf(currency: string): number {
  const decimals = exponentOf(currency)
  if (decimals === undefined) throw new Error(`The currency "${currency}" is not known.`)
  return decimals
}

function rescale(amount: bigint, from: number, to: number): bigint | null {
  if (to >= from) return amount * 10n ** BigInt(to - from)
  const factor = 10n ** BigInt(from - to)
  return amount % factor === 0n ? amount / factor : null
}

function withPoint(amount: bigint, decimals: number): string {
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
