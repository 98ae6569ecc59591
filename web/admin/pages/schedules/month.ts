/** A month of the calendar: whole weeks from Monday to Sunday, with the days of adjacent months empty. */
import { addDays, weekdayOf } from '#domain/schedule/day.ts'

/** `YYYY-MM`. */
export type Month = string

interface Week {
  /** Its Monday, as a key. */
  readonly begins: string
  /** `YYYY-MM-DD`, or null outside the month. */
  readonly days: readonly (string | null)[]
}

export const monthOf = (day: string): Month => day.slice(0, 7)

export const firstDay = (month: Month): string => `${month}-01`

export const lastDay = (month: Month): string => addDays(firstDay(neighbour(month, 1)), -1)

export function neighbour(month: Month, by: 1 | -1): Month {
  return monthOf(addDays(firstDay(month), by === 1 ? 31 : -1))
}

export function weeksOf(month: Month): readonly Week[] {
  const first = firstDay(month)
  const monday = addDays(first, 1 - weekdayOf(first))
  const last = lastDay(month)
  const weeks: Week[] = []
  for (let begins = monday; begins <= last; begins = addDays(begins, 7)) {
    const days = Array.from({ length: 7 }, (_, index) => addDays(begins, index))
    weeks.push({ begins, days: days.map((day) => (monthOf(day) === month ? day : null)) })
  }
  return weeks
}

export const monthText = (month: Month): string =>
  new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${firstDay(month)}T00:00:00Z`),
  )

export const dayText = (day: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** Abbreviations for Monday to Sunday in the viewer's locale. */
export function weekdayNames(): readonly string[] {
  const format = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(new Date(Date.UTC(2024, 0, 1 + index))))
}
