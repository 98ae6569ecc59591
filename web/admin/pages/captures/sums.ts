/** The totals of the selected holds per currency. */

interface HoldAmount {
  readonly currency: string
  readonly amountDecimals: number
  readonly authorisedMinor: string
  readonly capturedMinor: string
}

interface HeldSum {
  readonly currency: string
  readonly decimals: number
  readonly holds: number
  readonly amountMinor: string
}

export function sumsOf(holds: readonly HoldAmount[]): readonly HeldSum[] {
  const sums = new Map<string, HeldSum>()
  for (const { currency, amountDecimals: decimals, authorisedMinor, capturedMinor } of holds) {
    const before = sums.get(currency)
    const amount = BigInt(authorisedMinor) - BigInt(capturedMinor) + BigInt(before?.amountMinor ?? 0)
    sums.set(currency, { currency, decimals, holds: (before?.holds ?? 0) + 1, amountMinor: String(amount) })
  }
  return [...sums.values()]
}
