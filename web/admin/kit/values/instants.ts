/** Instants and days in the viewer's time zone. */
import { dayMs, hourMs, minuteMs, secondMs, utcDay } from '#domain/time.ts'

// biome-ignore format: a table is read in columns.
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  // unit     milliseconds
  ['day',    dayMs],
  ['hour',   hourMs],
  ['minute', minuteMs],
  ['second', secondMs],
]

export function distanceText(milliseconds: number): string {
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
  const fits = units.find(([, length]) => Math.abs(milliseconds) >= length)
  if (!fits) return format.format(0, 'second')
  const [unit, length] = fits
  return format.format(Math.round(milliseconds / length), unit)
}

/** Seconds in the largest unit that divides them: "1 hour", "90 minutes". */
export function durationText(seconds: number): string {
  const [unit, length] = units.find((one) => seconds >= one[1] / 1000 && (seconds * 1000) % one[1] === 0) ?? [
    'second',
    1000,
  ]
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(
    (seconds * 1000) / length,
  )
}

/** The first instant of a day `YYYY-MM-DD` in the viewer's time zone. */
export const startOfDay = (date: string): string | undefined => instantOf(`${date}T00:00:00`)

/** The first instant after a day, because ranges exclude their end. */
export function endOfDay(date: string): string | undefined {
  const start = new Date(`${date}T00:00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + 1)
  return start.toISOString()
}

/** The value of a datetime input as an instant. */
export function instantOf(local: string): string | undefined {
  const instant = new Date(local)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

/** A day in the viewer's locale, such as 5 Mar 2026. */
export function dateText(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(day.getTime())) return date
  return day.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** The viewer's time zone and its offset from UTC at an instant, or now: "Europe/Berlin, UTC+1". */
export function zoneText(at?: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC')
    .replace(/^UTC\+0$/, 'UTC')
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return offset === undefined || timeZone === offset ? timeZone : `${timeZone}, ${offset}`
}

/** Days are counted in UTC, where every day has 24 hours. */
export function daysBefore(date: string, days: number): string {
  return utcDay(Date.parse(`${date}T00:00:00Z`) - days * dayMs)
}

/** The day of an instant in the viewer's time zone. */
export function dayOf(instant: Date): string {
  const pad = (number: number): string => String(number).padStart(2, '0')
  return `${instant.getFullYear()}-${pad(instant.getMonth() + 1)}-${pad(instant.getDate())}`
}
