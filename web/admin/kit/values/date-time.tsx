/** An instant in the viewer's zone and locale. Pointing at it tells it in UTC, as logs and acquirers write it. */
import type { JSX } from 'preact'
import { dateText, distanceText } from './instants.ts'

export interface DateTimeProps {
  /** ISO, as the API writes it; null shows a dash. */
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

/** A day `YYYY-MM-DD` that belongs to no zone: of a plan, or at a bank. */
export function Day({ of }: { readonly of: string | null }): JSX.Element {
  if (of === null) return <span class="faint">—</span>
  return <time dateTime={of}>{dateText(of)}</time>
}

/** How long until, or since, in the largest unit that fits; `now` is ISO as well. */
export function Distance({ at, now }: { readonly at: string; readonly now: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {distanceText(Date.parse(at) - Date.parse(now))}
    </time>
  )
}
