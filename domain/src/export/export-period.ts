/**
 * The periods of a scheduled export, and when each is due. Chapter 70 §5.
 *
 * A period is whole days in a time zone: from the midnight of its first day to that of the day after its last. The next period begins where
 * it ends, so that no payment is in two files or in none, also where clocks are changed.
 */

import { addDays, dayIn, daysInMonth, instantAt, weekdayOf } from '../schedule/day.ts'
import { clockText, dayMs } from '../time.ts'
import { exportLimits } from './export-limits.ts'

export const exportPeriods = ['day', 'week', 'month'] as const
type ExportPeriod = (typeof exportPeriods)[number]

export interface ExportTimes {
  readonly period: ExportPeriod
  /** An IANA name, such as Europe/Berlin. */
  readonly timeZone: string
  /** When the file of a period is written on the day after its last, in minutes since midnight. */
  readonly minuteOfDay: number
}

export interface DuePeriod {
  /** `2026-03-28`, `2026-W13` or `2026-03`. */
  readonly label: string
  /** `YYYY-MM-DD`. */
  readonly firstDay: string
  readonly from: Date
  /** Not included. */
  readonly to: Date
  readonly dueAt: Date
}

/** The period to which a day belongs. */
export function periodOf({ period, timeZone, minuteOfDay }: ExportTimes, day: string): DuePeriod {
  const firstDay = firstDayOf(period, day)
  const dayAfter = firstDayAfter(period, firstDay)
  const to = instantAt(`${dayAfter} 00:00:00`, timeZone)
  const chosen = instantAt(`${dayAfter} ${clockText(minuteOfDay)}:00`, timeZone)
  return {
    label: labelOf(period, firstDay),
    firstDay,
    from: instantAt(`${firstDay} 00:00:00`, timeZone),
    to,
    dueAt: new Date(Math.max(chosen.getTime(), readyAt(to).getTime())),
  }
}

export const periodAfter = (times: ExportTimes, { firstDay }: Pick<DuePeriod, 'firstDay'>): DuePeriod =>
  periodOf(times, firstDayAfter(times.period, firstDay))

/** The first period that becomes due after an instant. */
export function firstPeriodDueAfter(times: ExportTimes, at: Date): DuePeriod {
  let found = periodBefore(times, periodBefore(times, periodOf(times, dayIn(at, times.timeZone))))
  while (found.dueAt <= at) found = periodAfter(times, found)
  return found
}

/** The last period that is over, and whose payments are all stored. */
export function lastPeriodEndedAt(times: ExportTimes, at: Date): DuePeriod {
  let found = periodOf(times, dayIn(at, times.timeZone))
  while (readyAt(found.to) > at) found = periodBefore(times, found)
  return found
}

/** A payment of the last second may be stored a little later, and reach a read replica later still. */
export const readyAt = (to: Date): Date => new Date(to.getTime() + exportLimits.settleMs)

const periodBefore = (times: ExportTimes, { firstDay }: DuePeriod): DuePeriod => periodOf(times, addDays(firstDay, -1))

function firstDayOf(period: ExportPeriod, day: string): string {
  if (period === 'week') return addDays(day, 1 - weekdayOf(day))
  return period === 'month' ? `${day.slice(0, 8)}01` : day
}

function firstDayAfter(period: ExportPeriod, firstDay: string): string {
  if (period === 'month')
    return addDays(firstDay, daysInMonth(Number(firstDay.slice(0, 4)), Number(firstDay.slice(5, 7))))
  return addDays(firstDay, period === 'week' ? 7 : 1)
}

/** A week has the number and the year of its Thursday (ISO 8601). */
function labelOf(period: ExportPeriod, firstDay: string): string {
  if (period === 'day') return firstDay
  if (period === 'month') return firstDay.slice(0, 7)
  const thursday = addDays(firstDay, 3)
  const year = thursday.slice(0, 4)
  const dayOfYear = (Date.parse(thursday) - Date.parse(`${year}-01-01`)) / dayMs
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}
