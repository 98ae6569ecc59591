/** An instant in the viewer's time zone and locale. The tooltip shows it in UTC, as logs and acquirers do. */
import type { JSX } from 'preact'
import { dateText, distanceText } from './instants.ts'

interface DateTimeProps {
  /** ISO, as in the API; null shows a dash. */
  readonly at: string | null
  readonly seconds?: boolean
}

export function DateTime({ at, seconds = false }: DateTimeProps): JSX.Element {
  if (at === null) return <span class="faint">—</span>
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{at}</span>
  return (
    <time dateTime={at} title={`${instant.toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
      {instant.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: seconds ? 'medium' : 'short' })}
    </time>
  )
}

/** A day `YYYY-MM-DD` without a time zone, of a plan or at a bank. */
export function Day({ of }: { readonly of: string | null }): JSX.Element {
  if (of === null) return <span class="faint">—</span>
  return <time dateTime={of}>{dateText(of)}</time>
}

/** The time until or since an instant, in the largest suitable unit; `now` is ISO as well. */
export function Distance({ at, now }: { readonly at: string; readonly now: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {distanceText(Date.parse(at) - Date.parse(now))}
    </time>
  )
}
