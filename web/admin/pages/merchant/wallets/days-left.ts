/** The days until something expires, in whole days of the instance's clock. */
import { dayMs } from '#domain/time.ts'
import type { Tone } from '../../../kit/states.tsx'

/** Rounded down: a certificate with an hour left has 0 days left. */
export const daysLeft = (until: string, now: string): number =>
  Math.floor((Date.parse(until) - Date.parse(now)) / dayMs)

export function daysText(days: number): string {
  if (days < 0) return 'expired'
  return days === 1 ? '1 day left' : `${days} days left`
}

/** The first alert is raised 60 days before the end, the last ones within the last week (chapter 40 §6). */
export function urgency(days: number): Tone {
  if (days <= 7) return 'bad'
  return days <= 60 ? 'warn' : 'plain'
}
