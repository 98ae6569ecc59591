/** Price lists in words. */
import type { Answer } from '../../api/call.ts'
import { moneyText } from '../../kit/values/money-text.ts'

export type PriceList = Answer<'GET /merchants/:merchantId/price-lists'>['lists'][number]
export type Rule = PriceList['rules'][number]

const percent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 4 }).format(share / 1_000_000)

export const reserveText = ({ reserve }: PriceList): string =>
  reserve === null ? 'none' : `${percent(reserve.share)} for ${new Intl.NumberFormat().format(reserve.days)} days`

export const monthlyText = ({ monthly }: PriceList): string =>
  monthly.length === 0
    ? 'none'
    : monthly.map(({ currency, amountMinor }) => moneyText({ minor: amountMinor, currency })).join(', ')

/** Such as "sale, visa, domestic: 0.25 EUR + 1.25 %, at least 0.30 EUR". */
export function ruleText(rule: Rule, midName: (id: string) => string): string {
  const { kinds, networks, regions, midIds, currency, fromMinor, toMinor } = rule
  const money = (minor: string): string => moneyText({ minor, currency: currency ?? '' })
  const conditions = [
    ...kinds,
    ...networks,
    ...regions,
    ...(midIds.length === 0 ? [] : [`MID ${midIds.map(midName).join(' or ')}`]),
    ...(currency === null ? [] : [currency]),
    ...(fromMinor === null ? [] : [`from ${money(fromMinor)}`]),
    ...(toMinor === null ? [] : [`up to ${money(toMinor)}`]),
  ]
  const parts = [
    ...(rule.fixedMinor === '0' ? [] : [money(rule.fixedMinor)]),
    ...(rule.share === 0 ? [] : [percent(rule.share)]),
  ]
  const minimum = rule.minimumMinor === '0' ? '' : `, at least ${money(rule.minimumMinor)}`
  return `${conditions.length === 0 ? 'everything' : conditions.join(', ')}: ${parts.length === 0 ? 'free' : parts.join(' + ')}${minimum}`
}
