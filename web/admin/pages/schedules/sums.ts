/** The totals of charges per currency. */
interface ChargeAmount {
  readonly currency: string
  readonly amountMinor: string
  /** The decimals with which the amount was sent; totals use the decimals of the currency. */
  readonly amountDecimals: number
}

interface CurrencySum {
  readonly currency: string
  readonly minor: bigint
  readonly decimals: number
}

export function sumsOf(charges: readonly ChargeAmount[]): readonly CurrencySum[] {
  const sums = new Map<string, CurrencySum>()
  for (const { currency, amountMinor, amountDecimals } of charges) {
    const { minor, decimals } = sums.get(currency) ?? { minor: 0n, decimals: 0 }
    sums.set(currency, {
      currency,
      minor: minor + BigInt(amountMinor),
      decimals: Math.max(decimals, amountDecimals),
    })
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}
