/** What an order costs in a crypto currency, at the sandbox's own fixed prices. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'

/** Units of any money for one unit of the crypto currency: whole numbers, so that people can check the result. */
const prices: ReadonlyMap<string, bigint> = new Map([
  ['BTC', 50_000n],
  ['ETH', 2_500n],
  ['USDT', 1n],
  ['USDC', 1n],
])

/** Null for an amount that the payer decides, and for a currency without a price. */
export function cryptoAmountOf(amountMinor: bigint, currency: string, crypto: string): string | null {
  if (amountMinor === 0n) return null
  if (currency === crypto) return formatAmount(amountMinor, crypto)
  const [decimals, cryptoDecimals] = [exponentOf(currency, cryptoExponents), cryptoExponents.get(crypto)]
  const price = prices.get(crypto)
  if (decimals === undefined || cryptoDecimals === undefined || price === undefined) return null
  const divisor = 10n ** BigInt(decimals) * price
  // Rounded up: the merchant never gets less than the order's amount.
  const minor = (amountMinor * 10n ** BigInt(cryptoDecimals) + divisor - 1n) / divisor
  return formatAmount(minor, crypto)
}
