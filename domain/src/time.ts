/** Lengths of time in milliseconds, and instants as texts. Days of a calendar are in `schedule/day.ts`. */
export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The pause before the next try, which doubles with each failure; after the first it is `firstMs`. */
export const growingPauseMs = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1))

/** The day it is in UTC: `2026-01-31`. In another zone it is `dayIn` of `schedule/day.ts`. Throws for an invalid date. */
export const utcDay = (instant: Date | number): string => new Date(instant).toISOString().slice(0, 10)

/** For mails and alerts, whose readers are in several time zones: `2026-01-31 14:05 UTC`. */
export const utcText = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A time of the day; 450 minutes since midnight are 07:30. */
export const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
