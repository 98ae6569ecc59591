/** The fields of a schedule as CREATE_SCHEDULE and UPDATE_SCHEDULE take them. Chapter 10 §7.11, §7.12. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { FirstPaymentRule, IntervalUnit } from '#domain/schedule/schedule.ts'
import * as format from '../kit/values/formats.ts'
import {
  conditional,
  type Format,
  fault,
  isSent,
  optional,
  type Param,
  plainText,
  type Reading,
  required,
  saying,
} from '../kit/values/params.ts'

const wholeNumber = (low: number, high: number): Format<number> =>
  saying(`a whole number from ${low} to ${high}`, (text) => {
    const value = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
    return value >= low && value <= high ? { value } : { violation: violations.notValid }
  })

const unit = format.choice<IntervalUnit>('day', 'week', 'month', 'year')
const length = wholeNumber(1, limits.schedule.intervalLength)
const dayOfMonth = wholeNumber(1, 31)
const count = wholeNumber(1, limits.schedule.paymentsCount)
const name = format.text(limits.schedule.nameLength)

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Stored and shown as a number, Monday being 1. */
const weekday: Format<number> = saying('1 (Monday) to 7, or the English name of the day in any case', (text) => {
  const value = /^[1-7]$/.test(text) ? Number(text) : weekdays.indexOf(text.toLowerCase()) + 1
  return value > 0 ? { value } : { violation: violations.notValid }
})

/** Deployed clients send the shorter names; schedules keep and show the others. */
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

const firstRule: Format<FirstPaymentRule> = saying(
  '`none`, `delay_by_interval`, `day_of_week`, `day_of_month`; also `by_interval`, `to_day_of_week`, `to_day_of_month`',
  (text) => {
    const value = ruleNames.get(text)
    return value ? { value } : { violation: violations.notChoice }
  },
)

/** Undefined when no rule was sent, or none that is known. */
const sentRule = ({ tree }: Reading): FirstPaymentRule | undefined =>
  ruleNames.get(plainText(tree, 'delayed_first_payment'))

const withRule = <T>(rule: FirstPaymentRule, value: Format<T>): Param<T | undefined> =>
  conditional(
    value,
    (reading) => (sentRule(reading) === rule ? 'required' : 'ignored'),
    `yes with \`delayed_first_payment=${rule}\`; ignored otherwise`,
  )

/** Retired: refused whatever it holds, under its name and without. */
const delays: Param<undefined> = {
  words: { sent: 'never', holds: 'nothing: retired' },
  read: (param, { tree }) => {
    if (!isSent(tree, param)) return { value: undefined }
    const text = violations.delaysRetired
    return {
      violations: [
        { param, text },
        { param: null, text },
      ],
    }
  },
}

const dayWithMonths: Param<number | undefined> = {
  words: { sent: 'no; only with `interval_unit=month`', holds: dayOfMonth.says ?? '' },
  read: (param, reading) => {
    const day = optional(dayOfMonth).read(param, reading)
    const isOfMonth = plainText(reading.tree, 'interval_unit') === 'month'
    return isSent(reading.tree, param) && !isOfMonth ? fault(param, violations.notValid) : day
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

const unlessOtherRule = <T>(rule: FirstPaymentRule, value: Format<T>): Param<T | undefined> =>
  conditional(
    value,
    (reading) => ([undefined, rule].includes(sentRule(reading)) ? 'optional' : 'ignored'),
    `no; ignored unless the schedule then has \`delayed_first_payment=${rule}\``,
  )

/** Each by itself; what only makes sense together is judged with the schedule that is changed. */
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
