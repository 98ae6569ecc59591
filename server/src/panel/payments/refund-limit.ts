/** The amount above which a refund needs a second person, per currency. Chapter 50 §8. */
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import type { Configuration } from '../../contracts/ports.ts'

export interface RefundLimits {
  /** In minor units, for crypto currencies by the operator's table; null if refunds of the currency need no approval. */
  of(currency: string, crypto: Exponents): bigint | null
}

interface LimitContext {
  readonly refundLimits: RefundLimits
  readonly configuration: Pick<Configuration, 'cryptoCurrencies'>
}

/** True if this total of refunds needs no second person. */
export function isWithinLimit(
  { refundLimits, configuration }: LimitContext,
  currency: string,
  totalMinor: bigint,
): boolean {
  const limit = refundLimits.of(currency, configuration.cryptoCurrencies())
  return limit === null || totalMinor <= limit
}

const entry = /^([A-Z0-9]{2,10}|\*):([0-9]{1,12})$/

/** `EUR:500,USD:500,*:1000` in whole units; `*` is every other currency. Null if the text is invalid. */
export function readRefundLimits(text: string): RefundLimits | null {
  const entries = text.trim() === '' ? [] : text.split(',').map((one) => entry.exec(one.trim()))
  if (entries.includes(null)) return null
  const amounts = new Map(entries.map((one) => [one?.[1] ?? '', BigInt(one?.[2] ?? 0)]))
  return {
    of: (currency, crypto) => {
      const units = amounts.get(currency) ?? amounts.get('*')
      return units === undefined ? null : units * 10n ** BigInt(exponentOf(currency, crypto) ?? 2)
    },
  }
}
