/** A rule of a price list as it is typed, and how it becomes one of the API. */

import { cryptoExponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import { minorOf, typedAmount } from '../../kit/values/amount.ts'
import { splitList } from '../../kit/values/split-list.ts'
import { decimalMark, decimalOf } from '../../kit/values/typed-decimal.ts'
import type { Rule } from './price-list.ts'

export const kinds = ['sale', 'refund', 'chargeback', 'payout', 'transfer'] as const
export const regions = ['domestic', 'regional', 'international'] as const

export interface TypedRule {
  /** Empty for any. */
  readonly kinds: readonly string[]
  readonly regions: readonly string[]
  readonly midIds: readonly string[]
  /** With commas between them. */
  readonly networks: string
  readonly currency: string
  readonly from: string
  readonly to: string
  readonly fixed: string
  readonly percent: string
  readonly minimum: string
}

export const emptyRule: TypedRule = {
  kinds: ['sale'],
  regions: [],
  midIds: [],
  networks: '',
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
  return wrong === undefined ? null : `Rule ${number}: ${wrong} is not a valid amount in ${currency}.`
}

export function ruleOf(typed: TypedRule) {
  const currency = typed.currency.trim().toUpperCase()
  const minor = (text: string): string | null => (text.trim() === '' ? null : minorOf(text, currency))
  return {
    kinds: kinds.filter((kind) => typed.kinds.includes(kind)),
    regions: regions.filter((region) => typed.regions.includes(region)),
    midIds: [...typed.midIds],
    networks: splitList(typed.networks),
    currency: currency === '' ? null : currency,
    fromMinor: minor(typed.from),
    toMinor: minor(typed.to),
    fixedMinor: minor(typed.fixed) ?? '0',
    share: shareOf(typed.percent) ?? 0,
    minimumMinor: minor(typed.minimum) ?? '0',
  }
}

/** A rule of a list that is copied. */
export function typedRuleOf({ currency, fromMinor, toMinor, fixedMinor, minimumMinor, ...rule }: Rule): TypedRule {
  const amount = (minor: string | null): string =>
    minor === null || currency === null ? '' : typedMinor(minor, currency)
  return {
    kinds: rule.kinds,
    regions: rule.regions,
    midIds: rule.midIds,
    networks: rule.networks.join(', '),
    currency: currency ?? '',
    from: amount(fromMinor),
    to: amount(toMinor),
    fixed: fixedMinor === '0' ? '' : amount(fixedMinor),
    percent: rule.share === 0 ? '' : typedShare(rule.share),
    minimum: minimumMinor === '0' ? '' : amount(minimumMinor),
  }
}

export const typedMinor = (minor: string, currency: string): string =>
  typedAmount(minor, currency, exponentOf(currency, cryptoExponents) ?? 0)

/** Millionths as per cent. */
export const typedShare = (share: number): string => String(share / 10_000).replace('.', decimalMark())
