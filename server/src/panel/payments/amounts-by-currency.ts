/** An amount as a person writes it, in the minor units of every currency in which it can be written. */
import { isoExponents } from '#domain/money/currencies.ts'
import { parseAmount } from '#domain/money/money.ts'
import { invalid } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'

interface WrittenAmount {
  /** The filter that has the amount, for the message. */
  readonly field: string
  /** The amount with a decimal point and without grouping. */
  readonly amount: string
  /** Undefined for any currency. */
  readonly currency: string | undefined
}

/** Minor units by currency, as JSON. Refused if no currency has an amount with so many decimals. */
export function amountsByCurrency(
  { configuration }: Pick<PanelContext, 'configuration'>,
  written: WrittenAmount,
): string {
  const { field, amount, currency } = written
  const crypto = configuration.cryptoCurrencies()
  const currencies = currency === undefined ? [...new Set([...isoExponents.keys(), ...crypto.keys()])] : [currency]
  const units: Record<string, string> = {}
  for (const code of currencies) {
    const parsed = parseAmount(amount, code, crypto)
    if (typeof parsed === 'object') units[code] = String(parsed.minor)
  }
  if (Object.keys(units).length > 0) return JSON.stringify(units)
  throw invalid(field, `${amount} is not an amount ${currency === undefined ? 'of any currency' : `in ${currency}`}.`)
}
