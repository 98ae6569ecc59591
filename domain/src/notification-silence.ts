/**
 * Whether an acquirer has sent no notification for longer than usual. See decisions/notifications#silence.
 *
 * Payments alone tell that one was to be expected: at night and on a MID that is switched off there is nothing to report.
 */
import { limits } from './limits.ts'

export interface Arrivals {
  readonly lastAt: Date | null
  /** The number of gaps between the newest notifications, and the longest of them. */
  readonly gaps: number
  readonly longestGapMs: number | null
  /** Payments that the acquirer approved since the last notification. */
  readonly approvedSince: number
}

/** Null while too few notifications have come to know what is usual. */
export function expectedWithinMs({ gaps, longestGapMs }: Arrivals): number | null {
  const { gapsLow, factor, shortestMs } = limits.notificationSilence
  if (gaps < gapsLow || longestGapMs === null) return null
  return Math.max(shortestMs, factor * longestGapMs)
}

export function isSilent(arrivals: Arrivals, now: Date): boolean {
  const { lastAt, approvedSince } = arrivals
  const withinMs = expectedWithinMs(arrivals)
  if (lastAt === null || withinMs === null || approvedSince < limits.notificationSilence.approvals) return false
  return now.getTime() - lastAt.getTime() >= withinMs
}
