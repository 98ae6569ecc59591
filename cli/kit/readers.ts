/** Readers turn texts of the command line into values. A reader that refuses a text says what it accepts. */

import { limits } from '#domain/limits.ts'
import { isPercent } from '#domain/money/commission.ts'
import { exponentOf } from '#domain/money/money.ts'
import { accept, type Reading, refuse } from '#domain/reading.ts'
import { isDay, isZone } from '#domain/schedule/day.ts'
import { dayMs } from '#domain/time.ts'
import { isUuid } from '#domain/uuid.ts'
import { parseIpList } from '#server/network/ip-list.ts'

export type Reader<T> = (text: string) => Reading<T>

export const anyText: Reader<string> = (text) => accept(text)

export const nonEmpty: Reader<string> = (text) => (text === '' ? refuse('a non-empty text') : accept(text))

export const textMatching =
  (pattern: RegExp, allowed: string): Reader<string> =>
  (text) =>
    pattern.test(text) ? accept(text) : refuse(allowed)

/** The short name of a merchant or MID, with the same pattern as the database constraint. */
export const shortName = textMatching(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'up to 63 lower-case letters, digits and hyphens, not beginning with a hyphen',
)

export const email = textMatching(/^[^@\s]+@[^@\s]+$/u, 'an e-mail address')

export const uuid: Reader<string> = (text) =>
  isUuid(text) ? accept(text.toLowerCase()) : refuse('an identifier such as 0198f7a1-5a0e-7c3e-9d55-0242ac1f0007')

export const oneOf =
  <const T extends string>(choices: readonly T[]): Reader<T> =>
  (text) => {
    const value = choices.find((choice) => choice.toLowerCase() === text.toLowerCase())
    return value === undefined ? refuse(`one of ${choices.join(', ')}`) : accept(value)
  }

export const wholeNumber =
  (low: number, high: number): Reader<number> =>
  (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= low && value <= high ? accept(value) : refuse(`a whole number from ${low} to ${high}`)
  }

export const minorUnits: Reader<bigint> = (text) =>
  /^[0-9]{1,18}$/.test(text) ? accept(BigInt(text)) : refuse('an amount in minor units, such as 1000 for 10.00')

export const percent: Reader<string> = (text) => (isPercent(text) ? accept(text) : refuse('a percentage such as 1.5'))

export const currency: Reader<string> = (text) => {
  const value = text.toUpperCase()
  return exponentOf(value) === undefined ? refuse('an ISO 4217 currency such as EUR') : accept(value)
}

export const timeZone: Reader<string> = (text) =>
  isZone(text) ? accept(text) : refuse('a time zone such as Europe/Paris or UTC')

/** A day of the calendar, `YYYY-MM-DD`. */
export const day: Reader<string> = (text) => (isDay(text) ? accept(text) : refuse('a day such as 2026-03-01'))

export const timeOfDay = textMatching(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'a time of day such as 23:30')

export const ipRange: Reader<string> = (text) => {
  const reading = parseIpList([text])
  if (text.trim() !== '' && reading.ok) return accept(text.trim())
  return refuse('an address or a range such as 203.0.113.0/24')
}

export const webAddress: Reader<string> = (text) => {
  const url = URL.parse(text)
  const sound = url !== null && ['http:', 'https:'].includes(url.protocol) && text.length <= limits.length.callbackUrl
  return sound ? accept(text) : refuse(`an http or https address of up to ${limits.length.callbackUrl} characters`)
}

// biome-ignore format: a table is read in columns.
const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
}

/** `90s`, `12h`, `1d12h`; in milliseconds. */
export const duration =
  (longestDays: number): Reader<number> =>
  (text) => {
    const allowed = `a duration such as 90s, 15m, 12h, 30d or 1d12h, up to ${longestDays}d`
    if (!/^([0-9]{1,9}[smhd])+$/.test(text)) return refuse(allowed)
    const parts = [...text.matchAll(/([0-9]+)([smhd])/g)]
    const value = parts.reduce((total, [, count, unit = '']) => total + Number(count) * (unitMs[unit] ?? 0), 0)
    return value <= longestDays * dayMs ? accept(value) : refuse(allowed)
  }

export const moment: Reader<Date> = (text) => {
  const isMoment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const read = new Date(text)
  return isMoment && !Number.isNaN(read.getTime())
    ? accept(read)
    : refuse('a date or time such as 2026-11-01 or 2026-11-01T12:00:00Z')
}
