/** Limits as options of the commands: amounts as CURRENCY:AMOUNT, so that what is printed can be entered again. */
import { type Limit, noLimit } from '#domain/mid.ts'
import { cryptoExponents } from '#domain/money/currencies.ts'
import { formatAmount, parseAmount } from '#domain/money/money.ts'
import { accept, refuse } from '#domain/reading.ts'
import { list, type Option, orEmpty } from '../../kit/options.ts'
import type { Reader } from '../../kit/readers.ts'

type CurrencyAmount = readonly [currency: string, minor: bigint]

const currencyAmount: Reader<CurrencyAmount> = (text) => {
  const [, currency = '', amount = ''] = /^([A-Za-z0-9]{2,10}):(.+)$/.exec(text) ?? []
  const code = currency.toUpperCase()
  const parsed = parseAmount(amount, code, cryptoExponents)
  if (typeof parsed === 'string') return refuse('CURRENCY:AMOUNT, such as EUR:1000.00')
  return accept([code, parsed.minor] as const)
}

export const amountsOption = (help: string): Option<readonly CurrencyAmount[]> =>
  orEmpty(list('CURRENCY:AMOUNT', help, currencyAmount))

/** A limit is one value set by two options; the option that is not given keeps its part. */
export function changeLimit(
  before: Limit = noLimit,
  amounts: readonly CurrencyAmount[] = Object.entries(before.amounts),
  count: number | null = before.count,
): Limit {
  return { amounts: Object.fromEntries(amounts), count }
}

export const amountTexts = ({ amounts }: Limit): readonly string[] =>
  Object.entries(amounts).map(([currency, minor]) => `${currency}:${formatAmount(minor, currency)}`)
