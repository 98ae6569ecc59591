/** Limits and lists as typed texts and as values of the service. */
import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import { minorOf, typedAmount } from '../../kit/values/amount.ts'

interface Limit {
  readonly amounts: Readonly<Record<string, string>>
  readonly count: number | null
}

export const noLimit: Limit = { amounts: {}, count: null }

/** The amount limits of one currency as typed: per day, and per week or month. */
export interface AmountRow {
  readonly currency: string
  readonly day: string
  readonly longer: string
}

export const countText = ({ count }: Limit): string => (count === null ? '' : String(count))

export function amountRows(day: Limit, longer: Limit): readonly AmountRow[] {
  const currencies = [...new Set([...Object.keys(day.amounts), ...Object.keys(longer.amounts)])].sort()
  return currencies.map((currency) => ({
    currency,
    day: amountText(currency, day.amounts[currency]),
    longer: amountText(currency, longer.amounts[currency]),
  }))
}

function amountText(currency: string, minor: string | undefined): string {
  const decimals = exponentOf(currency, cryptoExponents)
  return minor === undefined || decimals === undefined ? (minor ?? '') : typedAmount(minor, currency, decimals)
}

/** Why the rows cannot be saved; null if they can. */
export function rowsFault(rows: readonly AmountRow[]): string | null {
  const codes = rows.map(codeOf)
  const fault = rows.map((row) => rowFault(row)).find((one) => one !== null)
  if (fault !== undefined) return fault
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  return twice === undefined ? null : `Enter the limits in ${twice} in one row.`
}

function rowFault(row: AmountRow): string | null {
  const code = codeOf(row)
  if (exponentOf(code, cryptoExponents) === undefined) return 'Enter a currency such as EUR in each row.'
  const typed = [row.day, row.longer].filter((text) => text.trim() !== '')
  if (typed.length === 0) return `Enter an amount in ${code}, or remove the row.`
  const wrong = typed.find((text) => minorOf(text, code) === null)
  return wrong === undefined ? null : `"${wrong}" is not an amount in ${code}.`
}

export const limitFrom = (rows: readonly AmountRow[], of: 'day' | 'longer', count: string): Limit => ({
  amounts: Object.fromEntries(
    rows.filter((row) => row[of].trim() !== '').map((row) => [codeOf(row), minorOf(row[of], codeOf(row)) ?? row[of]]),
  ),
  count: count.trim() === '' ? null : Number(count),
})

const codeOf = ({ currency }: AmountRow): string => currency.trim().toUpperCase()
