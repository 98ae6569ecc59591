/**
 * An independent model of plans, written from chapter 10 §7.12 and §9: it goes through a plan day by day, with lists of dates from
 * the runtime's calendar, while production computes dates. Simulations compare the two. Production does not use it.
 */
import { addDays, weekdayOf } from '../day.ts'
import type { IntervalUnit, PlanStart, Schedule } from '../schedule.ts'

type Ymd = readonly [year: number, month: number, wantedDay: number]

/** A date of the grid, and what would be counted from if it were the first payment made. */
interface GridDate {
  readonly date: string
  readonly anchor: Ymd
}

export interface Model {
  readonly start: PlanStart
  schedule: Schedule
  dates: readonly GridDate[]
  /** Dates that came and have not been fired. */
  waiting: readonly GridDate[]
  first: GridDate | null
  made: number
}

export function begin(schedule: Schedule, start: PlanStart): Model {
  return { start, schedule, dates: datesOf(schedule, start, null), waiting: [], first: null, made: 0 }
}

/** A day begins; its date, if it is one, waits to be fired. */
export function beginDay(model: Model, day: string): void {
  model.waiting = [...model.waiting, ...model.dates.filter(({ date }) => date === day)]
}

/** Fires the oldest waiting date; null if none can be fired. */
export function fire(model: Model): string | null {
  const [next, ...others] = model.waiting
  if (next === undefined || model.schedule.paused || model.made >= model.schedule.paymentsCount) return null
  model.waiting = others
  model.made += 1
  model.first ??= next
  return next.date
}

export function pause(model: Model): void {
  model.schedule = { ...model.schedule, paused: true }
}

export function run(model: Model, today: string): void {
  model.schedule = { ...model.schedule, paused: false }
  model.waiting = model.waiting.filter(({ date }) => date >= today)
}

export function update(model: Model, schedule: Schedule): void {
  const old = model.schedule
  const before = datesOf(old, model.start, model.first)
  const counts = model.start.startDate === null && [old, schedule].every((one) => one.delayedFirstPayment === 'none')
  if (model.first && counts && schedule.dayOfMonth !== null && schedule.dayOfMonth !== old.dayOfMonth) {
    const [year, month] = model.first.anchor
    model.first = { ...model.first, anchor: [year, month, schedule.dayOfMonth] }
  }
  model.schedule = schedule
  model.dates = datesOf(schedule, model.start, model.first)
  if (model.dates.some(({ date }, index) => date !== before[index]?.date)) model.waiting = []
}

/** The dates still to come, as seen on a day that has begun. */
export function remainingDates({ schedule, dates, waiting, made }: Model, today: string): readonly string[] {
  const left = Math.max(0, schedule.paymentsCount - made)
  return [...waiting, ...dates.filter(({ date }) => date > today)].slice(0, left).map(({ date }) => date)
}

/** `add` of Chapter 10 §9.3. */
export function addUnits([year, month, wanted]: Ymd, count: number, unit: IntervalUnit): string {
  const months = unit === 'month' ? count : unit === 'year' ? 12 * count : 0
  const days = unit === 'day' ? count : unit === 'week' ? 7 * count : 0
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(wanted, last)))
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

export function ymd(day: string): Ymd {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))]
}

/** Enough dates for the longest simulation, at one a day. */
const gridLength = 400

function datesOf(schedule: Schedule, start: PlanStart, first: GridDate | null): readonly GridDate[] {
  const { anchor, skip } = first ? { anchor: first.anchor, skip: 1 } : anchorOf(schedule, start)
  const unit = schedule.intervalUnit
  const dates = Array.from({ length: gridLength }, (_, index) => {
    // Days and weeks count from the first payment as it was made, months and years from the day that it wanted.
    const base = first && (unit === 'day' || unit === 'week') ? ymd(first.date) : anchor
    const date = addUnits(base, (index + skip) * schedule.intervalLength, unit)
    const [year, month, day] = ymd(date)
    const keeps = unit === 'month' || unit === 'year' || index + skip === 0
    return { date, anchor: [year, month, keeps ? anchor[2] : day] as const }
  })
  return first ? [first, ...dates] : dates
}

/** The table of Chapter 10 §9.3: the anchor, and how many intervals lie between it and plan payment 1. */
function anchorOf(
  schedule: Schedule,
  { initiatedOn, startDate }: PlanStart,
): { readonly anchor: Ymd; readonly skip: number } {
  const [year, month, day] = ymd(initiatedOn)
  if (startDate !== null) return { anchor: ymd(startDate), skip: 0 }
  if (schedule.firstPaymentIntervalUnit !== null) {
    const unit = schedule.firstPaymentIntervalUnit
    const moved = ymd(addUnits([year, month, day], schedule.firstPaymentIntervalLength ?? 0, unit))
    return { anchor: unit === 'month' || unit === 'year' ? [moved[0], moved[1], day] : moved, skip: 0 }
  }
  if (schedule.firstPaymentDayOfWeek !== null) {
    return {
      anchor: ymd(nextDay(initiatedOn, (candidate) => weekdayOf(candidate) === schedule.firstPaymentDayOfWeek)),
      skip: 0,
    }
  }
  const wanted = schedule.firstPaymentDayOfMonth
  if (wanted !== null) {
    const fits = (candidate: string): boolean => {
      const [ofYear, ofMonth] = ymd(candidate)
      return candidate === addUnits([ofYear, ofMonth, wanted], 0, 'month')
    }
    const found = ymd(nextDay(initiatedOn, fits))
    return { anchor: [found[0], found[1], wanted], skip: 0 }
  }
  return { anchor: [year, month, schedule.dayOfMonth ?? day], skip: 1 + (schedule.delays ?? 0) }
}

function nextDay(after: string, fits: (candidate: string) => boolean): string {
  const candidate = addDays(after, 1)
  return fits(candidate) ? candidate : nextDay(candidate, fits)
}
