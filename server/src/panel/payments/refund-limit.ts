/** Above which amount a refund needs a second person, per currency. Chapter 50 §8. */
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import type { Configuration } from '../../contracts/ports.ts'

export interface RefundLimits {
  /** In minor units, those of crypto money by the operator's table; null when refunds of the currency need nobody else. */
  of(currency: string, crypto: Exponents): bigint | null
}

interface LimitDesk {
  readonly refundLimits: RefundLimits
  readonly configuration: Pick<Configuration, 'cryptoCurrencies'>
}

/** Whether so much may go back to a payer, with all that went back before, without a second person. */
export function isWithinLimit(
  { refundLimits, configuration }: LimitDesk,
  currency: string,
  totalMinor: bigint,
): boolean {
  const limit = refundLimits.of(currency, configuration.cryptoCurrencies())
  return limit === null || totalMinor <= limit
}

const entry = /^([A-Z0-9]{2,10}|\*):([0-9]{1,12})$/

/** `EUR:500,USD:500,*:1000` in whole units; the star stands for every other currency. Null when it cannot be read. */
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
