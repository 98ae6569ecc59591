/** The body of a callback, form or JSON, as names and values. */
import { entriesOf } from '../../api/call.ts'

type BodyField = readonly [name: string, value: string]

/** In the order of the body; an unreadable body has one field without a name. */
export function fieldsOf(contentType: string, body: string): readonly BodyField[] {
  if (!contentType.includes('json')) return [...new URLSearchParams(body)]
  try {
    return flatten('', JSON.parse(body))
  } catch {
    return [['', body]]
  }
}

/** The event that the callback reports, such as `SALE` or `CAPTURE`; null if it does not say. */
export function eventOf(contentType: string, body: string): string | null {
  const fields = new Map(fieldsOf(contentType, body))
  return fields.get('action') ?? fields.get('type') ?? null
}

function flatten(name: string, value: unknown): readonly BodyField[] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return entriesOf(value).flatMap(([member, one]) => flatten(name === '' ? member : `${name}[${member}]`, one))
}
