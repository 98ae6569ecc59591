/**
 * Currency exchange between payer and merchant. The rates are invented and constant, so that tests know them. A double exchange uses a
 * third currency, and its first leg has its own rate.
 */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'

interface Exchange {
  readonly rate: string
  /** The rate of the first leg; null for a single exchange. */
  readonly rateBase: string | null
  /** The amount and currency that the payer paid. */
  readonly currency: string
  readonly amount: string
  readonly settlementCurrency: string
  readonly settlementAmount: string
}

export function exchangeAmount(legs: 'single' | 'double', amountMinor: bigint, currency: string): Exchange | undefined {
  const decimals = exponentOf(currency, cryptoExponents)
  if (decimals === undefined) return undefined
  const settlementCurrency = currency === 'EUR' ? 'USD' : 'EUR'
  const rate = legs === 'single' ? directRate : secondRate
  const rateBase = legs === 'single' ? null : firstRate
  // Both currencies of settlement have two decimals.
  const shift = decimals + (rateBase === null ? RATE_DECIMALS : 2 * RATE_DECIMALS) - 2
  const product = amountMinor * wholeOf(rate) * (rateBase === null ? 1n : wholeOf(rateBase))
  return {
    rate,
    rateBase,
    currency,
    amount: formatAmount(amountMinor, currency),
    settlementCurrency,
    settlementAmount: formatAmount(halfUp(product, 10n ** BigInt(shift)), settlementCurrency),
  }
}

const RATE_DECIMALS = 4
const directRate = '1.1000'
const firstRate = '0.8000'
const secondRate = '1.2500'

const wholeOf = (rate: string): bigint => BigInt(rate.replace('.', ''))

const halfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)
