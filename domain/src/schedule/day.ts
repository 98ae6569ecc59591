/**
 * Days: calendar dates as `YYYY-MM-DD` texts, which sort and compare as they are.
 *
 * A day has no zone. It is computed once from an instant and a zone, and calculations use the day afterwards, so that no clock
 * change can move it.
 */
import { dayMs, minuteMs, utcDay } from '../time.ts'

/** A date that exists: `2028-02-29` does, `2026-02-29` does not. The database's calendar has no year 0. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? []
  if (year === undefined || year === '0000' || month === '00' || Number(month) > 12 || day === '00') return false
  return Number(day) <= daysInMonth(Number(year), Number(month))
}

/** A day on which money may have been booked. Any other year is a mistake, and the days that are counted from it could leave the calendar. */
export const isBookingDay = (text: string): boolean => isDay(text) && text >= '2000-01-01' && text <= '2099-12-31'

/** The last day of a month; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** The day a number of days later, or earlier when the number is below zero. */
export function addDays(day: string, count: number): string {
  return utcDay(midnight(day) + count * dayMs)
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(midnight(day)).getUTCDay() || 7
}

/** The day it is at an instant in an IANA zone. */
export function dayIn(instant: Date, zone: string): string {
  return zone === 'UTC' ? utcDay(instant) : dateTimeIn(instant, zone).slice(0, 10)
}

/** `YYYY-MM-DD HH:MM:SS`, as answers and callbacks show an instant (Chapter 10 §2). */
export function dateTimeIn(instant: Date, zone: string): string {
  // Every answer shows a date and most merchants keep the default zone: this path takes a sixth of the time.
  if (zone === 'UTC') return instant.toISOString().slice(0, 19).replace('T', ' ')

  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`
}

/**
 * The instant at which clocks in a zone show a date and time, `YYYY-MM-DD HH:MM:SS`.
 *
 * If clocks are put back and show a time twice, the first instant counts. A time that is skipped because clocks are put forward is
 * moved by the length of the gap.
 */
export function instantAt(dateTime: string, zone: string): Date {
  const wanted = utcMs(dateTime)
  if (zone === 'UTC') return new Date(wanted)

  // No zone changes its offset twice within two days, so that one of these is the offset at that time.
  const before = wanted - offsetMs(wanted - dayMs, zone)
  const after = wanted - offsetMs(wanted + dayMs, zone)
  const shown = [before, after].filter((ms) => dateTimeIn(new Date(ms), zone) === dateTime)
  return new Date(shown.length === 0 ? before : Math.min(...shown))
}

const offsetMs = (instantMs: number, zone: string): number => utcMs(dateTimeIn(new Date(instantMs), zone)) - instantMs

/** True if a text names an IANA zone. Bare offsets do not: they know nothing of summer time. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return formatterOf(text) !== undefined
  } catch {
    return false
  }
}

interface CutOff {
  /** Time of day in the zone, `HH:MM`. */
  readonly cutOff: string
  readonly zone: string
}

const defaultCutOff: CutOff = { cutOff: '00:00', zone: 'UTC' }

/**
 * The financial day of an instant (Chapter 10 §6.2).
 *
 * A financial day begins at the cut-off time of the calendar day it is named after, and lasts until that of the next: with
 * a cut-off at 18:00, both Monday 19:00 and Tuesday 17:59 belong to Monday. If the clock is put back across the cut-off, the day
 * begins when the clock shows the cut-off for the first time, and the second time changes nothing; if the clock is put forward
 * across it, the day begins at that moment.
 */
export function financialDay(instant: Date, { cutOff, zone }: CutOff = defaultCutOff): string {
  const now = dateTimeIn(instant, zone)
  const today = now.slice(0, 10)
  const begun = now.slice(11, 16) >= cutOff || passedBefore(`${today} ${cutOff}:00`, instant, zone)
  return begun ? today : addDays(today, -1)
}

/** True if clocks already showed this time before they were put back. */
function passedBefore(dateTime: string, instant: Date, zone: string): boolean {
  const earlier = Math.floor((instant.getTime() - longestPutBackMs) / minuteMs) * minuteMs
  const then = dateTimeIn(new Date(earlier), zone)
  const first = new Date(earlier + (utcMs(dateTime) - utcMs(then)))
  return first <= instant && dateTimeIn(first, zone) === dateTime
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known

  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(zone, formatter)
  return formatter
}

// A formatter costs far more to make than to use. Only names the runtime knows get in, so their number is bounded.
const formatters = new Map<string, Intl.DateTimeFormat>()

const longestPutBackMs = 3 * 60 * minuteMs

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const utcMs = (dateTime: string): number => Date.parse(`${dateTime.replace(' ', 'T')}Z`)
