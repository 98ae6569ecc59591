/** A rule of a price list as it is typed, and how it becomes one of the API. */
import { minorOf } from '../../kit/values/amount.ts'
import { decimalOf } from '../../kit/values/typed-decimal.ts'

export const kinds = ['sale', 'refund', 'chargeback', 'payout', 'transfer'] as const
export const regions = ['domestic', 'regional', 'international'] as const

export interface TypedRule {
  /** Empty for any. */
  readonly kind: (typeof kinds)[number] | ''
  readonly region: (typeof regions)[number] | ''
  readonly midId: string
  readonly network: string
  readonly currency: string
  readonly from: string
  readonly to: string
  readonly fixed: string
  readonly percent: string
  readonly minimum: string
}

export const emptyRule: TypedRule = {
  kind: 'sale',
  region: '',
  midId: '',
  network: '',
  currency: '',
  from: '',
  to: '',
  fixed: '',
  percent: '',
  minimum: '',
}

/** Millionths; null if it is no share between 0 and 100 %. */
export function shareOf(typed: string): number | null {
  if (typed.trim() === '') return 0
  const [whole = '', fraction = ''] = (decimalOf(typed) ?? 'x').split('.')
  if (!/^\d{1,3}$/.test(whole) || fraction.length > 4) return null
  const share = Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'))
  return share <= 1_000_000 ? share : null
}

/** What cannot be sent, in words; null if everything can. */
export function ruleFault({ currency, percent, from, to, fixed, minimum }: TypedRule, number: number): string | null {
  const amounts = [from, to, fixed, minimum].filter((text) => text.trim() !== '')
  if (shareOf(percent) === null) return `Rule ${number}: enter a share such as 1.25, with at most four decimals.`
  if (amounts.length > 0 && currency.trim() === '') return `Rule ${number}: enter the currency of its amounts.`
  const wrong = amounts.find((text) => minorOf(text, currency.trim().toUpperCase()) === null)
  return wrong === undefined ? null : `Rule ${number}: ${wrong} is no amount in ${currency}.`
}

const listOf = <T extends string>(value: T | ''): T[] => (value === '' ? [] : [value])

export function ruleOf(typed: TypedRule) {
  const currency = typed.currency.trim().toUpperCase()
  const minor = (text: string): string | null => (text.trim() === '' ? null : minorOf(text, currency))
  return {
    kinds: listOf(typed.kind),
    regions: listOf(typed.region),
    midIds: listOf(typed.midId),
    networks: listOf(typed.network.trim()),
    currency: currency === '' ? null : currency,
    fromMinor: minor(typed.from),
    toMinor: minor(typed.to),
    fixedMinor: minor(typed.fixed) ?? '0',
    share: shareOf(typed.percent) ?? 0,
    minimumMinor: minor(typed.minimum) ?? '0',
  }
}
