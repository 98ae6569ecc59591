/** The time zones that the browser knows, with UTC first, for a select field. A stored zone that it does not know stays selectable. */
import type { Choice } from './fields.tsx'

export function timeZoneChoices(current: string): readonly Choice[] {
  const names = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])
  names.delete('')
  return [...names].map((value) => ({ value, text: value.replaceAll('_', ' ') }))
}

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
