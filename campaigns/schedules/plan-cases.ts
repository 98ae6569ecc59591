/**
 * Plans whose dates are known beforehand, in two ways: written from the worked examples of chapter 10 §9.4 and §9.5, and simulated by the
 * model of the domain's tests. Neither uses the code with which the gateway plans.
 */
import { addDays, daysInMonth, weekdayOf } from '#domain/schedule/day.ts'
import type { Schedule } from '#domain/schedule/schedule.ts'
import { monthly } from '#domain/schedule/testing/schedule-example.ts'
import { begin, beginDay, fire, pause, run } from '#domain/schedule/testing/schedule-model.ts'
import type { Fields } from '../stage/merchant.ts'

export interface PlanCase {
  readonly name: string
  /** D: the day of the first payment. */
  readonly startsOn: string
  readonly first: Fields
  readonly schedule: Partial<Schedule>
  /** `schedule_start_date`. */
  readonly startDate: string | null
  /** The amount of each payment of the plan, in minor units. */
  readonly amountMinor: bigint
  /** Paused in the evening of the one day, resumed in the evening of the other. */
  readonly pauses: readonly (readonly [from: string, to: string])[]
  /** The dates of a plan without pauses, without end. */
  readonly grid: () => Generator<string>
}

/** The number of dates that the model keeps; with one a week, more than seven years. */
const longest = 400

/** Ten years and more from the January after `today`. */
export function planCases(today: string): readonly PlanCase[] {
  const year = Number(today.slice(0, 4)) + 1
  const leapYear = year + ((4 - (year % 4)) % 4)
  const plain = { startDate: null, amountMinor: 1000n, pauses: [], first: {} } as const
  return [
    {
      ...plain,
      name: 'monthly on the 31st',
      startsOn: `${year}-01-31`,
      schedule: {},
      grid: () => monthEnds(year, 2),
    },
    {
      ...plain,
      name: 'every 14 days, a debit',
      startsOn: `${year}-02-02`,
      first: { action: 'DEBIT' },
      schedule: { intervalLength: 14, intervalUnit: 'day' },
      grid: () => everyDays(addDays(`${year}-02-02`, 14), 14),
    },
    {
      ...plain,
      name: 'weekly from the next Monday',
      startsOn: `${year}-02-03`,
      schedule: { intervalUnit: 'week', delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: 1 },
      grid: () => everyDays(mondayAfter(`${year}-02-03`), 7),
    },
    {
      ...plain,
      name: 'yearly from 29 February',
      startsOn: `${leapYear}-02-29`,
      schedule: { intervalUnit: 'year' },
      grid: () => februaryEnds(leapYear + 1),
    },
    {
      ...plain,
      name: 'monthly after a free trial',
      startsOn: `${year}-03-10`,
      first: { order_amount: '0.00', payment_schedule_amount: '9.99' },
      schedule: {},
      startDate: `${year}-05-31`,
      amountMinor: 999n,
      grid: () => monthEnds(year, 5),
    },
    {
      ...plain,
      name: 'monthly, paused for months',
      startsOn: `${year}-03-31`,
      schedule: { paymentsCount: 60 },
      pauses: [
        [`${year}-06-15`, `${year}-09-10`],
        [`${year + 1}-02-28`, `${year + 1}-05-31`],
        [`${year + 3}-01-01`, `${year + 4}-01-01`],
      ],
      grid: () => monthEnds(year, 4),
    },
    {
      ...plain,
      name: 'every 14 days, paused',
      startsOn: `${year}-04-01`,
      schedule: { intervalLength: 14, intervalUnit: 'day', paymentsCount: 100 },
      pauses: [
        [`${year}-04-20`, `${year}-05-13`],
        [`${year}-12-24`, `${year + 1}-01-07`],
      ],
      grid: () => everyDays(addDays(`${year}-04-01`, 14), 14),
    },
  ]
}

export const scheduleOf = ({ schedule }: PlanCase): Schedule => ({ ...monthly, paymentsCount: longest, ...schedule })

/** By hand: the dates of the grid outside of pauses, as many as the plan has, up to and including the last day. */
export function datesByHand(planCase: PlanCase, lastDay: string): readonly string[] {
  const { paymentsCount } = scheduleOf(planCase)
  const dates: string[] = []
  for (const date of planCase.grid()) {
    if (date > lastDay || dates.length === paymentsCount) break
    if (!planCase.pauses.some(([from, to]) => date > from && date < to)) dates.push(date)
  }
  return dates
}

/** By the model, day by day. */
export function datesByModel(planCase: PlanCase, lastDay: string): readonly string[] {
  const model = begin(scheduleOf(planCase), { initiatedOn: planCase.startsOn, startDate: planCase.startDate })
  const dates: string[] = []
  for (let day = addDays(planCase.startsOn, 1); day <= lastDay; day = addDays(day, 1)) {
    // Resumed in the evening: what was due on that very day is made then.
    beginDay(model, day)
    if (planCase.pauses.some(([, to]) => to === day)) run(model, day)
    for (let date = fire(model); date !== null; date = fire(model)) dates.push(date)
    if (planCase.pauses.some(([from]) => from === day)) pause(model)
  }
  return dates
}

/** 31 January, 28 February, 31 March, 30 April: the 31st or the last day of the month. */
function* monthEnds(year: number, month: number): Generator<string> {
  for (let months = year * 12 + month - 1; ; months += 1) {
    const [ofYear, ofMonth] = [Math.floor(months / 12), (months % 12) + 1]
    yield `${ofYear}-${String(ofMonth).padStart(2, '0')}-${daysInMonth(ofYear, ofMonth)}`
  }
}

function* februaryEnds(year: number): Generator<string> {
  for (let ofYear = year; ; ofYear += 1) yield `${ofYear}-02-${ofYear % 4 === 0 ? 29 : 28}`
}

function* everyDays(first: string, days: number): Generator<string> {
  for (let date = first; ; date = addDays(date, days)) yield date
}

function mondayAfter(day: string): string {
  const next = addDays(day, 1)
  return weekdayOf(next) === 1 ? next : mondayAfter(next)
}
