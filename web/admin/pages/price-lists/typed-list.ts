/** A price list as it is typed, how it becomes one of the API, and how a list is copied. */

import { minorOf } from '../../kit/values/amount.ts'
import { splitList } from '../../kit/values/split-list.ts'
import type { PriceList } from './price-list.ts'
import {
  emptyRule,
  ruleFault,
  ruleOf,
  shareOf,
  type TypedRule,
  typedMinor,
  typedRuleOf,
  typedShare,
} from './typed-rule.ts'

export interface TypedFee {
  readonly amount: string
  readonly currency: string
}

export interface TypedList {
  readonly validFrom: string
  /** Empty until further notice. */
  readonly validTo: string
  readonly country: string
  readonly region: string
  readonly rules: readonly TypedRule[]
  readonly monthly: readonly TypedFee[]
  readonly reservePercent: string
  readonly reserveDays: string
}

export const emptyFee: TypedFee = { amount: '', currency: 'EUR' }

export const emptyList: TypedList = {
  validFrom: '',
  validTo: '',
  country: '',
  region: '',
  rules: [emptyRule],
  monthly: [emptyFee],
  reservePercent: '',
  reserveDays: '',
}

/** Everything except the days, which are new. */
export const copyOf = ({ country, region, rules, monthly, reserve }: PriceList): TypedList => ({
  validFrom: '',
  validTo: '',
  country,
  region: region.join(', '),
  rules: rules.map(typedRuleOf),
  monthly:
    monthly.length === 0
      ? [emptyFee]
      : monthly.map(({ currency, amountMinor }) => ({ currency, amount: typedMinor(amountMinor, currency) })),
  reservePercent: reserve === null ? '' : typedShare(reserve.share),
  reserveDays: reserve === null ? '' : String(reserve.days),
})

export function faultsOf({ validFrom, validTo, country, rules, monthly, reservePercent, reserveDays }: TypedList) {
  const hasReserve = reservePercent.trim() !== '' || reserveDays.trim() !== ''
  return {
    validFrom: validFrom === '' ? 'Enter the first day.' : null,
    validTo: validTo !== '' && validTo < validFrom ? 'Enter a day that is not before the first one.' : null,
    country: /^[A-Za-z]{2}$/.test(country.trim()) ? null : 'Enter a country of two letters.',
    rules: rules.map((rule, index) => ruleFault(rule, index + 1)).find((fault) => fault !== null) ?? null,
    monthly: monthlyFault(monthly.filter(({ amount }) => amount.trim() !== '')),
    reservePercent: hasReserve && !shareOf(reservePercent) ? 'Enter a share such as 5.' : null,
    reserveDays: hasReserve && !/^[1-9]\d{0,2}$/.test(reserveDays.trim()) ? 'Enter a number of days.' : null,
  }
}

function monthlyFault(fees: readonly TypedFee[]): string | null {
  const wrong = fees.find(({ amount, currency }) => minorOf(amount, codeOf(currency)) === null)
  if (wrong !== undefined) return `${wrong.amount} is not an amount in ${codeOf(wrong.currency) || 'a currency'}.`
  const currencies = fees.map(({ currency }) => codeOf(currency))
  const twice = currencies.find((currency, index) => currencies.indexOf(currency) !== index)
  return twice === undefined ? null : `Enter one monthly fee in ${twice}.`
}

export const bodyOf = ({ validFrom, validTo, country, region, rules, monthly, ...reserve }: TypedList) => ({
  validFrom,
  validTo: validTo === '' ? null : validTo,
  country: country.trim().toUpperCase(),
  region: splitList(region.toUpperCase()),
  rules: rules.map(ruleOf),
  monthly: monthly.flatMap(({ amount, currency }) => {
    const amountMinor = amount.trim() === '' ? null : minorOf(amount, codeOf(currency))
    return amountMinor === null ? [] : [{ currency: codeOf(currency), amountMinor }]
  }),
  reserve:
    reserve.reserveDays.trim() === ''
      ? null
      : { share: shareOf(reserve.reservePercent) ?? 0, days: Number(reserve.reserveDays) },
})

const codeOf = (currency: string): string => currency.trim().toUpperCase()
