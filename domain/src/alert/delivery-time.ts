/** When an alert may be sent to a channel: at once, with the next digest, or after the quiet hours. Chapter 70 §9. */
import { minuteMs } from '../time.ts'
import type { AlertSeverity } from './alert-severity.ts'

export interface DeliveryRules {
  /** Minutes of the day in the time zone; a range may pass midnight. Null: no quiet hours. */
  readonly quiet: { readonly from: number; readonly until: number } | null
  /** An IANA name, such as Europe/Berlin. */
  readonly timeZone: string
  /** Alerts of so many minutes are sent together; 0 sends each at once. */
  readonly digestMinutes: number
}

const dayMinutes = 1440

/** A critical alert waits for nothing. */
export function deliveryTime(raisedAt: Date, severity: AlertSeverity, rules: DeliveryRules): Date {
  if (severity === 'critical') return raisedAt
  return afterQuiet(nextDigest(raisedAt, rules.digestMinutes), rules)
}

/** Digests are sent at whole multiples, so that all processes agree on them. */
function nextDigest(at: Date, minutes: number): Date {
  if (minutes === 0) return at
  const length = minutes * minuteMs
  return new Date(Math.ceil(at.getTime() / length) * length)
}

function afterQuiet(at: Date, { quiet, timeZone }: DeliveryRules): Date {
  if (quiet === null || quiet.from === quiet.until) return at
  const local = minuteOfDay(at, timeZone)
  if (!isWithin(local, quiet.from, quiet.until)) return at
  const waitMinutes = (quiet.until - local + dayMinutes) % dayMinutes
  const end = new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + waitMinutes * minuteMs)
  // Where the clocks change meanwhile, the end is an hour off; a second look corrects what is still quiet.
  const still = minuteOfDay(end, timeZone)
  return isWithin(still, quiet.from, quiet.until)
    ? new Date(end.getTime() + ((quiet.until - still + dayMinutes) % dayMinutes) * minuteMs)
    : end
}

const isWithin = (local: number, from: number, until: number): boolean =>
  from < until ? local >= from && local < until : local >= from || local < until

function minuteOfDay(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const [hours = 0, minutes = 0] = format.format(at).split(':').map(Number)
  return hours * 60 + minutes
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
