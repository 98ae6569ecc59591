/** Whether a condition of a rule holds for a payment, and the sentence that says why. Chapter 50 §4. */
import { cryptoExponents } from '../money/currencies.ts'
import { exponentOf, formatAmount } from '../money/money.ts'
import { riskKinds } from '../risk/risk-entry.ts'
import { velocityTitles } from '../risk/velocity.ts'
import { dateTimeIn, weekdayOf } from '../schedule/day.ts'
import type { Cell, Tally } from './approval.ts'
import type { BreakerState } from './breaker.ts'
import { fraction } from './draw.ts'
import { type BinRange, type Condition, type ListedKind, listedConditions } from './rule.ts'
import type { RuleInput, RuleInputs } from './rule-inputs.ts'

/** The state of MIDs that rules may refer to, at one moment. */
export interface MidWorld {
  /** Null when no MID has this name. */
  midId(name: string): string | null
  health(midId: string): BreakerState
  tally(midId: string, cell: Cell | null, windowMinutes: number): Tally
}

export interface Judgement {
  readonly kind: Condition['kind']
  readonly holds: boolean
  /** A sentence for people: the condition and the actual value. */
  readonly says: string
}

/** Which draw a share makes, and whose payments a velocity counts. */
interface RulePlace {
  /** Unique for this payment and this rule. */
  readonly seed: string
  readonly set: 'merchant' | 'global'
}

export function judge(condition: Condition, inputs: RuleInputs, world: MidWorld, place: RulePlace): Judgement {
  const { met, found, wanted } = findingOf(condition, inputs, world, place)
  const { kind, not } = condition
  const demand = not ? `not ${wanted}` : wanted
  if (met === null) return { kind, holds: false, says: `Asks for ${demand}; ${found} is not known.` }
  return { kind, holds: met !== not, says: `Asks for ${demand}; found ${found}.` }
}

interface Finding {
  /** Null when unknown. */
  readonly met: boolean | null
  readonly found: string
  readonly wanted: string
}

function findingOf(condition: Condition, inputs: RuleInputs, world: MidWorld, place: RulePlace): Finding {
  switch (condition.kind) {
    case 'amount':
      return amount(condition, inputs)
    case 'bin':
      return bin(condition.ranges, inputs.bin)
    case 'time-of-day':
      return timeOfDay(condition, inputs.at)
    case 'weekday':
      return weekday(condition, inputs.at)
    case 'custom-data':
      return customData(condition, inputs)
    case 'share':
      return share(condition.percent, place.seed)
    case 'mid-health':
      return health(condition, world)
    case 'mid-approval-rate':
      return approvalRate(condition, world)
    case 'risk-list':
      return riskList(condition, inputs)
    case 'velocity':
      return velocity(condition, inputs, place)
    default:
      return listMembership(condition.kind, condition.values, inputOf[condition.kind](inputs))
  }
}

// biome-ignore format: a table is read in columns.
const inputOf: Readonly<Record<ListedKind, (inputs: RuleInputs) => RuleInput>> = {
  'currency':         (inputs) => inputs.currency,
  'payer-country':    (inputs) => inputs.payerCountry,
  'issuer-country':   (inputs) => inputs.issuerCountry,
  'network':          (inputs) => inputs.network,
  'funding':          (inputs) => inputs.funding,
  'brand':            (inputs) => inputs.brand,
  'wallet':           (inputs) => inputs.wallet,
  'pan-type':         (inputs) => inputs.panType,
  'wallet-assurance': (inputs) => inputs.walletAssurance,
  'payment-mode':     (inputs) => inputs.paymentMode,
  'protocol':         (inputs) => inputs.protocol,
  'initiator':        (inputs) => inputs.initiator,
  'recurring':        (inputs) => (inputs.recurring === 'none' ? null : inputs.recurring),
  'moto-type':        (inputs) => inputs.motoType,
  'channel':          (inputs) => inputs.channel,
}

function listMembership(kind: ListedKind, values: readonly string[], input: RuleInput): Finding {
  const [about] = listedConditions[kind]
  const wanted = values.length === 0 ? `any value of ${about}` : `${about} ${anyOf(values)}`
  if (input === undefined) return { met: null, found: about, wanted }
  if (input === null) return { met: false, found: 'none', wanted }
  return { met: values.length === 0 || values.includes(input), found: input, wanted }
}

const anyOf = (values: readonly string[]): string => values.join(' or ')

function amount(
  { currency, fromMinor, toMinor }: Extract<Condition, { kind: 'amount' }>,
  { amountMinor, currency: actual }: RuleInputs,
): Finding {
  const low = fromMinor === null ? '' : ` from ${moneyText(fromMinor, currency)}`
  const high = toMinor === null ? '' : ` up to ${moneyText(toMinor, currency)}`
  const wanted = `an amount${low}${high}`
  if (amountMinor === null) return { met: null, found: 'the amount', wanted }
  const met =
    actual === currency &&
    (fromMinor === null || amountMinor >= BigInt(fromMinor)) &&
    (toMinor === null || amountMinor <= BigInt(toMinor))
  return { met, found: moneyText(amountMinor, actual), wanted }
}

/** An operator's own crypto currency may have been removed since the rule was written. */
function moneyText(minor: string | bigint, currency: string): string {
  if (exponentOf(currency, cryptoExponents) === undefined) return `${minor} minor units of ${currency}`
  return `${formatAmount(BigInt(minor), currency)} ${currency}`
}

function bin(ranges: readonly BinRange[], digits: RuleInput): Finding {
  const spelled = ranges.map(({ from, to }) => (from === to ? from : `${from}-${to}`))
  const wanted = `a card number that begins with ${anyOf(spelled)}`
  if (digits === undefined) return { met: null, found: 'the card', wanted }
  if (digits === null) return { met: false, found: 'no card', wanted }
  return { met: ranges.some((range) => covers(range, digits)), found: digits, wanted }
}

/** A stored payment has only six digits: they are in a range of eight digits only if every number that begins with them is. */
function covers({ from, to }: BinRange, digits: string): boolean {
  const known = digits.slice(0, from.length)
  return known.padEnd(from.length, '0') >= from && known.padEnd(to.length, '9') <= to
}

function timeOfDay({ zone, from, to }: Extract<Condition, { kind: 'time-of-day' }>, at: Date): Finding {
  const time = dateTimeIn(at, zone).slice(11, 16)
  const met = from <= to ? from <= time && time < to : time >= from || time < to
  return { met, found: time, wanted: `a time from ${from} to ${to} in ${zone}` }
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const dayName = (day: number): string => dayNames[day - 1] ?? String(day)

function weekday({ zone, days }: Extract<Condition, { kind: 'weekday' }>, at: Date): Finding {
  const day = weekdayOf(dateTimeIn(at, zone).slice(0, 10))
  return { met: days.includes(day), found: dayName(day), wanted: `${anyOf(days.map(dayName))} in ${zone}` }
}

function customData(
  { key, values }: Extract<Condition, { kind: 'custom-data' }>,
  { customData: sent }: RuleInputs,
): Finding {
  const wanted = values.length === 0 ? `custom_data with ${key}` : `custom_data ${key} ${anyOf(values)}`
  const value = sent !== null && Object.hasOwn(sent, key) ? sent[key] : undefined
  if (value === undefined) return { met: false, found: 'none', wanted }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Custom data may contain personal data, so an explanation shows a value only if the rule itself names it.
  const isAsked = values.includes(text)
  return { met: values.length === 0 || isAsked, found: isAsked ? text : 'another value', wanted }
}

function share(percent: number, seed: string): Finding {
  const drawn = fraction(`${seed} share`) * 100
  return { met: drawn < percent, found: `a draw of ${drawn.toFixed(2)}`, wanted: `a share of ${percent} %` }
}

function health({ mid, states }: Extract<Condition, { kind: 'mid-health' }>, world: MidWorld): Finding {
  const wanted = `the circuit of MID ${mid} ${anyOf(states)}`
  const id = world.midId(mid)
  if (id === null) return { met: null, found: `MID ${mid}`, wanted }
  const state = world.health(id)
  return { met: states.includes(state), found: state, wanted }
}

function approvalRate(
  { mid, windowMinutes, fromPercent, belowPercent, minimumAnswers }: Extract<Condition, { kind: 'mid-approval-rate' }>,
  world: MidWorld,
): Finding {
  const low = fromPercent === null ? '' : ` from ${fromPercent} %`
  const high = belowPercent === null ? '' : ` below ${belowPercent} %`
  const wanted = `an approval rate${low}${high} of MID ${mid} in ${windowMinutes} minutes`
  const id = world.midId(mid)
  const { approved, declined } = id === null ? emptyTally : world.tally(id, null, windowMinutes)
  const answers = approved + declined
  if (answers === 0 || answers < minimumAnswers) return { met: null, found: `the rate (${answers} answers)`, wanted }
  const rate = (approved * 100) / answers
  const met = (fromPercent === null || rate >= fromPercent) && (belowPercent === null || rate < belowPercent)
  return { met, found: `${rate.toFixed(1)} % of ${answers} answers`, wanted }
}

const emptyTally: Tally = { approved: 0, declined: 0 }

/** The explanation names the kind of the entry and its reason, never the payer's data. */
function riskList({ lists }: Extract<Condition, { kind: 'risk-list' }>, { risk }: RuleInputs): Finding {
  const wanted = `a payment on the ${anyOf(lists)} list`
  if (risk === undefined) return { met: null, found: 'the entry', wanted }
  const matches = risk.listed.filter(({ list }) => lists.includes(list))
  const found = matches.map(({ list, kind, reason }) => `${riskKinds[kind][0]} on the ${list} list (${reason})`)
  return { met: matches.length > 0, found: found.join(' and ') || 'no entry', wanted }
}

function velocity(
  { per, windowMinutes, currency, moreThan }: Extract<Condition, { kind: 'velocity' }>,
  { risk }: RuleInputs,
  { set }: RulePlace,
): Finding {
  const amountOf = (total: string | bigint): string =>
    currency === null ? `${total} ${String(total) === '1' ? 'payment' : 'payments'}` : moneyText(total, currency)
  const of = velocityTitles[per]
  const wanted = `more than ${amountOf(moreThan)} of one ${of} in ${windowMinutes} minutes`
  const total = risk?.velocity({ per, windowMinutes, currency }, set)
  if (total === undefined) return { met: null, found: `the velocity of the ${of}`, wanted }
  if (total === null) return { met: false, found: `no ${of}`, wanted }
  return { met: total > BigInt(moreThan), found: amountOf(total), wanted }
}
