/** The values of a request's body by their paths, whatever its format: JSON, form, multipart form or XML. */
import type { BuiltRequest } from './transformer/protocol.ts'

export function valuesOf({ headers, body }: Pick<BuiltRequest, 'headers' | 'body'>): ReadonlyMap<string, string> {
  if (body === null) return new Map()
  const text = body.toString('utf8')
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/multipart/i.test(type) || /^\s*--/.test(text)) return new Map(partsOf(text))
  if (/^\s*[[{]/.test(text)) return new Map(leavesOf(parseJson(text), ''))
  if (/^\s*</.test(text)) return new Map(elementsOf(text))
  return new Map(formValues(text))
}

type Values = readonly (readonly [string, string])[]

/** Numbers keep their digits: a JSON number above 2^53 must not be rounded before it is compared. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    )
  } catch {
    return null
  }
}

function leavesOf(value: unknown, path: string): Values {
  // Numbers are texts already.
  if (typeof value === 'string' || typeof value === 'boolean') return [[path, String(value)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
}

/** A form may carry a whole document in one of its fields. */
const formValues = (text: string): Values =>
  [...new URLSearchParams(text)].flatMap(([name, value]) =>
    /^\s*</.test(value)
      ? elementsOf(value).map(([path, inner]) => [`${name}/${path}`, inner] as const)
      : [[name, value] as const],
  )

const partsOf = (text: string): Values =>
  [...text.matchAll(/name="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([\s\S]*?)\r?\n(?=--)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )

/** Elements and attributes by their names alone, the first of each: the requests are flat enough for that. */
function elementsOf(text: string): Values {
  const found = new Map<string, string>()
  const keep = (name: string, value: string): void => {
    if (!found.has(name)) found.set(name, value)
  }
  for (const [, name = '', attributes = ''] of text.matchAll(/<([\w:.-]+)((?:\s+[\w:.-]+="[^"]*")*)\s*\/?>/g))
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([\w:.-]+)="([^"]*)"/g))
      keep(`${name}@${attribute}`, value)
  for (const [, name = '', value = ''] of text.matchAll(/<([\w:.-]+)[^<>]*>([^<>]*)<\/\1>/g)) keep(name, value.trim())
  return [...found]
}
