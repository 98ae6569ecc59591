/** Conditions and actions as clauses, also while they are incomplete. */
import { memberOf, textAt } from '../../../api/call.ts'
import { moneyText } from '../../../kit/values/money-text.ts'
import { itemsAt, listAt, type Part, wordAt } from './draft-rule.ts'

type PartSentence = (part: Part) => string

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Stands for a value that is still missing. */
const gap = '…'
const textOrGap = (text: string): string => (text === '' ? gap : text)

const isNot = (part: Part): boolean => part['not'] === true
const is = (part: Part): string => (isNot(part) ? 'is not' : 'is')

const or = (values: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(values)
const and = (values: readonly string[]): string => new Intl.ListFormat('en').format(values)

/** For example "is EUR or USD", "is none of EUR, USD". */
function oneOf(part: Part, values: readonly string[]): string {
  if (values.length > 1 && isNot(part)) return `is none of ${values.join(', ')}`
  return `${is(part)} ${textOrGap(or(values))}`
}

const listClause =
  (about: string): PartSentence =>
  (part) => {
    const values = listAt(part, 'values')
    return values.length === 0 ? `${about} ${is(part)} given` : `${about} ${oneOf(part, values)}`
  }

const amount: PartSentence = (part) => {
  const currency = wordAt(part, 'currency')
  const [from, to] = [boundText(part, 'fromMinor', currency), boundText(part, 'toMinor', currency)]
  if (from === null && to === null) return `the amount ${is(part)} ${gap}`
  if (to === null) return `the amount ${is(part)} ${from} or more`
  if (from === null) return `the amount ${is(part)} ${to} or less`
  return `the amount ${is(part)} from ${from} to ${to}`
}

function boundText(part: Part, name: string, currency: string): string | null {
  const minor = wordAt(part, name)
  if (minor === '') return null
  return /^\d+$/.test(minor) ? moneyText({ minor, currency }) : `${minor} ${currency}`
}

const bin: PartSentence = (part) => {
  const ranges = itemsAt(part, 'ranges').map((range) => {
    const [from, to] = [textAt(range, 'from'), textAt(range, 'to')]
    return from === to || to === '' ? from : `${from}–${to}`
  })
  return `the card number ${isNot(part) ? 'does not begin' : 'begins'} with ${textOrGap(or(ranges))}`
}

const timeOfDay: PartSentence = (part) =>
  `the time ${is(part)} from ${textOrGap(wordAt(part, 'from'))} until ${textOrGap(wordAt(part, 'to'))} in ${textOrGap(wordAt(part, 'zone'))}`

const weekday: PartSentence = (part) => {
  const days = listAt(part, 'days').map((day) => weekdays[Number(day) - 1] ?? day)
  return `the day ${oneOf(part, days)} in ${textOrGap(wordAt(part, 'zone'))}`
}

const customData: PartSentence = (part) => {
  const [key, values] = [textOrGap(wordAt(part, 'key')), listAt(part, 'values')]
  if (values.length > 0) return `${key} of custom_data ${oneOf(part, values)}`
  return `custom_data ${isNot(part) ? 'does not have' : 'has'} ${key}`
}

const share: PartSentence = (part) =>
  `the payment ${is(part)} among the ${textOrGap(wordAt(part, 'percent'))} % that are drawn by their ids`

const health: PartSentence = (part) =>
  `the circuit of ${textOrGap(wordAt(part, 'mid'))} ${oneOf(part, listAt(part, 'states'))}`

const approvalRate: PartSentence = (part) => {
  const [from, below] = [wordAt(part, 'fromPercent'), wordAt(part, 'belowPercent')]
  const range = [from === '' ? '' : `from ${from} %`, below === '' ? '' : `below ${below} %`]
    .filter(Boolean)
    .join(' and ')
  const window = `over ${textOrGap(wordAt(part, 'windowMinutes'))} minutes`
  return `the approval rate of ${textOrGap(wordAt(part, 'mid'))} ${window} ${is(part)} ${textOrGap(range)}`
}

const riskList: PartSentence = (part) => `the payment ${is(part)} on the ${textOrGap(or(listAt(part, 'lists')))} list`

const velocity: PartSentence = (part) => {
  const [currency, most] = [wordAt(part, 'currency'), wordAt(part, 'moreThan')]
  const amount = /^\d+$/.test(most) && currency !== '' ? moneyText({ minor: most, currency }) : textOrGap(most)
  const total = currency === '' ? `${amount} payments` : amount
  const window = `in ${textOrGap(wordAt(part, 'windowMinutes'))} minutes`
  return `one ${textOrGap(wordAt(part, 'per'))} ${isNot(part) ? 'did not ask' : 'asked'} for more than ${total} ${window}`
}

const useSentence: PartSentence = (part) => {
  const names = textOrGap(listAt(part, 'mids').join(', then '))
  return part['only'] === true ? `use ${names}, and no other MID` : `use ${names}, then the others`
}

const split: PartSentence = (part) => {
  const shares = itemsAt(part, 'shares').map((one) => ({
    mid: textAt(one, 'mid'),
    weight: Number(memberOf(one, 'weight')),
  }))
  const sum = shares.reduce((total, { weight }) => total + weight, 0)
  const percent = (weight: number): string => (sum > 0 ? `${Math.round((weight / sum) * 1000) / 10} %` : gap)
  return `split payments: ${textOrGap(and(shares.map(({ mid, weight }) => `${percent(weight)} to ${textOrGap(mid)}`)))}`
}

const prefer: PartSentence = (part) => {
  const mids = listAt(part, 'mids')
  const among = mids.length === 0 ? '' : ` among ${and(mids)}`
  return `prefer the MID with the better approval rate${among} over ${textOrGap(wordAt(part, 'windowMinutes'))} minutes`
}

const exclude: PartSentence = (part) => `exclude ${textOrGap(and(listAt(part, 'mids')))}`

const methods =
  (verb: string, order?: string): PartSentence =>
  (part) => {
    const shown = `${verb} ${textOrGap(and(listAt(part, 'methods')))} on the hosted page`
    return order === undefined ? shown : `${shown}, ${order}`
  }

export const clauses = {
  listed: listClause,
  amount,
  bin,
  timeOfDay,
  weekday,
  customData,
  share,
  health,
  approvalRate,
  riskList,
  velocity,
  use: useSentence,
  split,
  prefer,
  exclude,
  methods,
}
