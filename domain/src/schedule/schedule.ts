/**
 * Schedules: on which dates the payments of a plan fall. Chapter 10 §9; D, L, U and N are its words.
 *
 * The schedule and the start of a plan determine an endless series of dates, the plan's grid: the first payment and then every L units of
 * U. Each date is counted from the first and never from the one before, and the first keeps its wanted day of the month, so that the 31st
 * comes back after a short month.
 *
 * Beside its start, the state of a plan is three values:
 * - `made`, because N limits payments and not dates;
 * - `after`, the day that the next payment must lie after. It is a day and not a position in the grid, because an update of the schedule
 *   changes the grid of a running plan. A payment, RUN and UPDATE only ever move this day forward, and the next payment takes the first date
 *   of the grid after it;
 * - `first`, the first payment once it is made, because a later change of the schedule still counts from it.
 *
 * What is deliberately not here: the clock and the time of day (the worker's), the end of a plan for other reasons (hard
 * decline, chargeback, DESCHEDULE), and the validation of fields (the protocol's).
 */
import { dayMs } from '../time.ts'
import { addDays, daysInMonth, weekdayOf } from './day.ts'

export type IntervalUnit = 'day' | 'week' | 'month' | 'year'
export type FirstPaymentRule = 'none' | 'delay_by_interval' | 'day_of_week' | 'day_of_month'

/** The reusable rule (Chapter 10 §7.11). */
export interface Schedule {
  readonly name: string
  readonly intervalLength: number
  readonly intervalUnit: IntervalUnit
  readonly dayOfMonth: number | null
  readonly paymentsCount: number
  readonly delayedFirstPayment: FirstPaymentRule
  readonly firstPaymentIntervalLength: number | null
  readonly firstPaymentIntervalUnit: IntervalUnit | null
  /** 1 for Monday to 7 for Sunday. */
  readonly firstPaymentDayOfWeek: number | null
  readonly firstPaymentDayOfMonth: number | null
  /** Retired: whole intervals skipped before the first payment. Only schedules imported from an older system have a number. */
  readonly delays: number | null
  readonly paused: boolean
}

/** The days that a plan's dates are counted from. They never change. */
export interface PlanStart {
  /** D: the day on which the initiating payment succeeded, in the merchant's time zone. */
  readonly initiatedOn: string
  /** `schedule_start_date`, which overrides the schedule's own rule for the first payment. */
  readonly startDate: string | null
}

/** A date to count from, with its wanted day of the month: 28 February may stand for the 31st. */
interface Anchor {
  readonly date: string
  readonly wanted: number
}

/** The progress of a plan on its grid. */
export interface PlanProgress {
  /** Payments fired, declined ones among them (Chapter 10 §9.2, "Count"). */
  readonly made: number
  /** The next payment lies after this day; null before the first payment, RUN or UPDATE. */
  readonly after: string | null
  /** Null exactly as long as `made` is zero. */
  readonly first: Anchor | null
}

export const noProgress: PlanProgress = Object.freeze({ made: 0, after: null, first: null })

/**
 * The date of plan payment k, from 1, of a plan that was never paused or changed. N does not limit it. Null after
 * 9999-12-31, the end of the calendar.
 */
export function planDate(schedule: Schedule, start: PlanStart, k: number): string | null {
  const first = firstPayment(schedule, start)
  if (first === null) return null
  return addUnits(first, (k - 1) * schedule.intervalLength, schedule.intervalUnit)?.date ?? null
}

/** `first_recurring_date`: the date of plan payment 1. */
export function firstDate(schedule: Schedule, start: PlanStart): string | null {
  return planDate(schedule, start, 1)
}

/**
 * The date of the payment that a plan makes next, or null when it has made all of them. A pause does not change the date: the
 * plans of a paused schedule make no payments, but they have not ended.
 */
export function nextDue(plan: PlanProgress, schedule: Schedule, start: PlanStart): string | null {
  return nextPayment(plan, schedule, start)?.date ?? null
}

/** The dates that a plan still has, the next one first; no more than `atMost` of them. */
export function comingDates(
  plan: PlanProgress,
  schedule: Schedule,
  start: PlanStart,
  atMost = Infinity,
): readonly string[] {
  return datesWhile(plan, schedule, start, (_, taken) => taken < atMost)
}

/**
 * The dates up to and including a day whose payments have not been made, oldest first: after an outage the worker makes them all
 * (Chapter 10 §9.2, "Service was down"). A paused schedule has none (§9.5).
 */
export function dueUpTo(plan: PlanProgress, schedule: Schedule, start: PlanStart, day: string): readonly string[] {
  return schedule.paused ? [] : datesWhile(plan, schedule, start, (date) => date <= day)
}

export function paymentsLeft(plan: PlanProgress, schedule: Schedule): number {
  return Math.max(0, schedule.paymentsCount - plan.made)
}

/** The plan after its next payment was fired, whatever the outcome. A finished plan is unchanged. */
export function afterFiring(plan: PlanProgress, schedule: Schedule, start: PlanStart): PlanProgress {
  const payment = nextPayment(plan, schedule, start)
  if (payment === null) return plan
  return { made: plan.made + 1, after: payment.date, first: plan.first ?? payment }
}

/**
 * The plan after RUN_SCHEDULE (Chapter 10 §9.5). The day of RUN itself still counts, unless its payment was made before the
 * pause; payments that were due during the pause are neither made nor counted.
 */
export function afterResume(plan: PlanProgress, runDay: string): PlanProgress {
  return { ...plan, after: later(plan.after, addDays(runDay, -1)) }
}

interface ScheduleUpdate {
  readonly old: Schedule
  readonly updated: Schedule
  readonly start: PlanStart
  readonly today: string
}

/**
 * The plan after UPDATE_SCHEDULE (Chapter 10 §7.12, "Running plans"); `nextDue` with the new schedule is null when the update
 * ends it.
 *
 * Only an update that moves the plan's dates changes its progress. With a new name or count, a payment that is due today and not made yet
 * must still be made.
 */
export function afterUpdate(plan: PlanProgress, { old, updated, start, today }: ScheduleUpdate): PlanProgress {
  const first = plan.first && firstAfterUpdate(plan.first, old, updated, start)
  const was = plan.first ?? firstPayment(old, start)
  const is = first ?? firstPayment(updated, start)
  if (was?.date === is?.date && was?.wanted === is?.wanted && sameInterval(old, updated)) return plan
  return { ...plan, first, after: later(plan.after, today) }
}

/** A schedule without the fields that its unit and its first-payment rule do not use (Chapter 10 §7.11 and §7.12). */
export function normaliseSchedule(schedule: Schedule): Schedule {
  const rule = schedule.delayedFirstPayment
  return {
    ...schedule,
    dayOfMonth: ownDay(schedule),
    firstPaymentIntervalLength: rule === 'delay_by_interval' ? schedule.firstPaymentIntervalLength : null,
    firstPaymentIntervalUnit: rule === 'delay_by_interval' ? schedule.firstPaymentIntervalUnit : null,
    firstPaymentDayOfWeek: rule === 'day_of_week' ? schedule.firstPaymentDayOfWeek : null,
    firstPaymentDayOfMonth: rule === 'day_of_month' ? schedule.firstPaymentDayOfMonth : null,
  }
}

/** Plan payment 1 by the table of Chapter 10 §9.3. */
function firstPayment(schedule: Schedule, { initiatedOn, startDate }: PlanStart): Anchor | null {
  if (startDate !== null) return anchorOn(startDate)

  switch (schedule.delayedFirstPayment) {
    case 'none': {
      const intervals = 1 + (schedule.delays ?? 0)
      return addUnits(ownAnchor(schedule, initiatedOn), intervals * schedule.intervalLength, schedule.intervalUnit)
    }
    case 'delay_by_interval':
      return addUnits(
        anchorOn(initiatedOn),
        requireField(schedule.firstPaymentIntervalLength),
        requireField(schedule.firstPaymentIntervalUnit),
      )
    case 'day_of_week':
      // Never D itself: if D is the wanted weekday, the first payment is a week later.
      return addUnits(
        anchorOn(initiatedOn),
        ((requireField(schedule.firstPaymentDayOfWeek) - weekdayOf(initiatedOn) + 6) % 7) + 1,
        'day',
      )
    case 'day_of_month': {
      const wanted = requireField(schedule.firstPaymentDayOfMonth)
      const here = anchorIn(monthOf(initiatedOn), wanted)
      return here !== null && here.date > initiatedOn ? here : anchorIn(monthOf(initiatedOn) + 1, wanted)
    }
  }
}

function ownAnchor(schedule: Schedule, initiatedOn: string): Anchor {
  const wanted = ownDay(schedule)
  return (wanted === null ? null : anchorIn(monthOf(initiatedOn), wanted)) ?? anchorOn(initiatedOn)
}

/**
 * The first payment stays the anchor through every update. A new `day_of_month` changes its wanted day, but only where
 * the first payment depends on that field: with the rule `none` and without a start date (Chapter 10 §9.3).
 */
function firstAfterUpdate(first: Anchor, old: Schedule, updated: Schedule, { startDate }: PlanStart): Anchor {
  const counts = startDate === null && [old, updated].every((schedule) => schedule.delayedFirstPayment === 'none')
  const wanted = ownDay(updated)
  return !counts || wanted === null || wanted === ownDay(old) ? first : { ...first, wanted }
}

function nextPayment(plan: PlanProgress, schedule: Schedule, start: PlanStart): Anchor | null {
  const first = plan.first ?? firstPayment(schedule, start)
  if (first === null || paymentsLeft(plan, schedule) === 0) return null
  if (plan.after === null) return first

  // With fewer intervals than fit between the two days, the date cannot be after `plan.after`; with one more it always is.
  const { intervalLength, intervalUnit } = schedule
  const fitting = Math.floor(unitsBetween(first.date, plan.after, intervalUnit) / intervalLength)
  for (let intervals = Math.max(0, fitting); ; intervals += 1) {
    const payment = addUnits(first, intervals * intervalLength, intervalUnit)
    if (payment === null || payment.date > plan.after) return payment
  }
}

function datesWhile(
  plan: PlanProgress,
  schedule: Schedule,
  start: PlanStart,
  wanted: (date: string, taken: number) => boolean,
): readonly string[] {
  const dates: string[] = []
  for (let now = plan; ; now = afterFiring(now, schedule, start)) {
    const date = nextDue(now, schedule, start)
    if (date === null || !wanted(date, dates.length)) return dates
    dates.push(date)
  }
}

/** `add` of Chapter 10 §9.3, with null after the end of the calendar. */
function addUnits(from: Anchor, count: number, unit: IntervalUnit): Anchor | null {
  // Zero units keep the date, even if the wanted day was changed after the payment was made.
  if (count === 0) return from

  const distance = count * unitLength[unit]
  if (byMonth(unit)) return anchorIn(monthOf(from.date) + distance, from.wanted)
  return distance > daysBetween(from.date, lastDay) ? null : anchorOn(addDays(from.date, distance))
}

/** `clamp` of Chapter 10 §9.3. Months are numbered without regard to years, so that a year is twelve months. */
function anchorIn(month: number, wanted: number): Anchor | null {
  if (month > monthOf(lastDay)) return null

  const year = Math.floor(month / 12)
  const ofYear = (month % 12) + 1
  const day = Math.min(wanted, daysInMonth(year, ofYear))
  return { date: [padNumber(year, 4), padNumber(ofYear, 2), padNumber(day, 2)].join('-'), wanted }
}

/** Seven days equal a week and twelve months a year, so such an update moves no date. */
function sameInterval(one: Schedule, other: Schedule): boolean {
  const length = (schedule: Schedule): number => schedule.intervalLength * unitLength[schedule.intervalUnit]
  return byMonth(one.intervalUnit) === byMonth(other.intervalUnit) && length(one) === length(other)
}

function unitsBetween(from: string, to: string, unit: IntervalUnit): number {
  const between = byMonth(unit) ? monthOf(to) - monthOf(from) : daysBetween(from, to)
  return between / unitLength[unit]
}

/** Protocols refuse a schedule without the fields of its rule. Throws, because a guessed date could charge a payer wrongly. */
function requireField<T>(value: T | null): T {
  if (value === null) throw new Error('A schedule lacks a field that its first-payment rule needs.')
  return value
}

const lastDay = '9999-12-31'

/** In days for the first two, in months for the others. */
const unitLength = { day: 1, week: 7, month: 1, year: 12 } as const satisfies Record<IntervalUnit, number>

const ownDay = ({ intervalUnit, dayOfMonth }: Schedule): number | null => (intervalUnit === 'month' ? dayOfMonth : null)
const byMonth = (unit: IntervalUnit): boolean => unit === 'month' || unit === 'year'
const anchorOn = (date: string): Anchor => ({ date, wanted: Number(date.slice(8)) })
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs
const later = (one: string | null, other: string): string => (one !== null && one > other ? one : other)
const padNumber = (value: number, length: number): string => String(value).padStart(length, '0')
