/** The limit of a velocity as it is typed: a number of payments, or an amount in units if a currency is entered; and as the API has it. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import { minorOf, typedAmount } from '../../../kit/values/amount.ts'
import { type Members, wordAt } from './draft-rule.ts'

export interface TypedLimit {
  readonly most: string
  /** Empty to count payments. */
  readonly currency: string
}

export function typedLimit(part: Members, locale?: string): TypedLimit {
  const [most, currency] = [wordAt(part, 'moreThan'), wordAt(part, 'currency')]
  const decimals = currency === '' ? undefined : exponentOf(currency, cryptoExponents)
  const isAmount = decimals !== undefined && /^\d+$/.test(most)
  return { most: isAmount ? typedAmount(most, currency, decimals, locale) : most, currency }
}

/** What is invalid is passed on as typed, and the service refuses it. */
export function limitFrom({ most, currency }: TypedLimit, locale?: string): Members {
  const code = currency.trim().toUpperCase()
  if (code === '') return { moreThan: most.trim(), currency: null }
  return { moreThan: minorOf(most, code, undefined, locale) ?? `${most} ${code}`, currency: code }
}

/** What is wrong with the number or amount, in words; null if nothing is. */
export function limitFault({ most, currency }: TypedLimit, locale?: string): string | null {
  const code = currency.trim().toUpperCase()
  if (code === '') return /^\d+$/.test(most.trim()) ? null : 'Enter a whole number of payments.'
  return minorOf(most, code, undefined, locale) === null ? 'Enter a valid amount in this currency.' : null
}
