/** The fields of a schedule as CREATE_SCHEDULE and UPDATE_SCHEDULE take them. Chapter 10 §7.11, §7.12. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { FirstPaymentRule, IntervalUnit } from '#domain/schedule/schedule.ts'
import * as format from '../kit/values/formats.ts'
import { conditional, type Format, optional, type Param, required, withWords } from '../kit/values/params.ts'
import { fault, faultyResult, soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { textIn } from '../kit/values/sent.ts'

const wholeNumber = (low: number, high: number): Format<number, unknown> =>
  withWords(
    `a whole number from ${low} to ${high}`,
    (text) => {
      const value = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
      return value >= low && value <= high ? soundResult(value) : violationResult(violations.notValid)
    },
    { pattern: '^[1-9][0-9]{0,4}$' },
  )

const unit = format.choice<IntervalUnit>('day', 'week', 'month', 'year')
const length = wholeNumber(1, limits.schedule.intervalLength)
const dayOfMonth = wholeNumber(1, 31)
const count = wholeNumber(1, limits.schedule.paymentsCount)
const name = format.text(limits.schedule.nameLength)

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Stored and shown as a number, Monday being 1. */
const weekday: Format<number, unknown> = withWords(
  '1 (Monday) to 7, or the English name of the day in any case',
  (text) => {
    const value = /^[1-7]$/.test(text) ? Number(text) : weekdays.indexOf(text.toLowerCase()) + 1
    return value > 0 ? soundResult(value) : violationResult(violations.notValid)
  },
)

/** Deployed clients send the shorter names; schedules store and show the long ones. */
// biome-ignore format: a table is read in columns.
const ruleNames: ReadonlyMap<string | undefined, FirstPaymentRule> = new Map([
  ['none',              'none'],
  ['delay_by_interval', 'delay_by_interval'],
  ['day_of_week',       'day_of_week'],
  ['day_of_month',      'day_of_month'],
  ['by_interval',       'delay_by_interval'],
  ['to_day_of_week',    'day_of_week'],
  ['to_day_of_month',   'day_of_month'],
])

const firstRule: Format<FirstPaymentRule, unknown> = withWords(
  '`none`, `delay_by_interval`, `day_of_week`, `day_of_month`; also `by_interval`, `to_day_of_week`, `to_day_of_month`',
  (text) => {
    const value = ruleNames.get(text)
    return value ? soundResult(value) : violationResult(violations.notChoice)
  },
)

/** Undefined when no rule or an unknown one was sent. */
const sentRule = ({ tree }: BaseReading): FirstPaymentRule | undefined =>
  ruleNames.get(textIn(tree, 'delayed_first_payment'))

const withRule = <T>(rule: FirstPaymentRule, value: Format<T, unknown>): Param<T | undefined> =>
  conditional(
    value,
    (reading) => (sentRule(reading) === rule ? 'required' : 'ignored'),
    `yes with \`delayed_first_payment=${rule}\`; ignored otherwise`,
  )

/** Retired: refused whatever it holds, under its name and without. */
const delays: Param<undefined, BaseReading> = {
  words: { sent: 'never', holds: 'nothing: retired' },
  read: (param, sent) => {
    if (sent === undefined) return soundResult(undefined)
    const text = violations.delaysRetired
    return faultyResult({ param, text }, { param: null, text })
  },
}

const dayWithMonths: Param<number | undefined, BaseReading> = {
  words: { sent: 'no; only with `interval_unit=month`', holds: dayOfMonth.says ?? '' },
  read: (param, sent, reading) => {
    const isOfMonth = textIn(reading.tree, 'interval_unit') === 'month'
    if (sent !== undefined && !isOfMonth) return fault(param, violations.notValid)
    return optional(dayOfMonth).read(param, sent, reading)
  },
}

export const newScheduleParams = {
  name: required(name),
  interval_length: required(length),
  interval_unit: required(unit),
  day_of_month: dayWithMonths,
  payments_count: required(count),
  delayed_first_payment: optional(firstRule),
  first_payment_interval_length: withRule('delay_by_interval', length),
  first_payment_interval_unit: withRule('delay_by_interval', unit),
  first_payment_day_of_week: withRule('day_of_week', weekday),
  first_payment_day_of_month: withRule('day_of_month', dayOfMonth),
  delays,
}

const unlessOtherRule = <T>(rule: FirstPaymentRule, value: Format<T, unknown>): Param<T | undefined> =>
  conditional(
    value,
    (reading) => ([undefined, rule].includes(sentRule(reading)) ? 'optional' : 'ignored'),
    `no; ignored unless the schedule then has \`delayed_first_payment=${rule}\``,
  )

/** Checks each parameter alone; `changed-schedule.ts` checks their combination with the stored schedule. */
export const changedScheduleParams = {
  name: optional(name),
  interval_length: optional(length),
  interval_unit: optional(unit),
  day_of_month: optional(dayOfMonth),
  payments_count: optional(count),
  delayed_first_payment: optional(firstRule),
  first_payment_interval_length: unlessOtherRule('delay_by_interval', length),
  first_payment_interval_unit: unlessOtherRule('delay_by_interval', unit),
  first_payment_day_of_week: unlessOtherRule('day_of_week', weekday),
  first_payment_day_of_month: unlessOtherRule('day_of_month', dayOfMonth),
  delays,
}
