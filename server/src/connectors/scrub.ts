/**
 * A copy of a message that may be written to a log.
 *
 * Fields that a connector names by dotted path become `***`; a list on the way is looked through, so `items.number` covers
 * every item. What those fields held in the request is hidden in the answer as well, wherever the acquirer quotes it. And
 * whatever else looks like a card number is masked, wherever it stands.
 */
import { groupedDigits, maskCardDigits } from '#domain/card-digits.ts'

/** `values` are texts to hide wherever they stand, as `secretsIn` finds them. */
export function scrub(value: unknown, paths: readonly string[], values: readonly string[] = []): unknown {
  return copy(value, split(paths), (text) => hideValues(text.replace(digitRuns, maskCardDigits), values))
}

/** Collects the texts of a message at the given paths and below them. */
export function secretsIn(value: unknown, paths: readonly string[]): readonly string[] {
  return textsAt(value, split(paths))
}

/** They travel in headers, which no log sees, but an acquirer may quote one in its answer. */
export function secretCredentials(credentials: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(credentials)
    .filter(([name]) => /key|secret|pass|token|salt|certificate|(?:^|_)pin(?:_|$)/i.test(name))
    .map(([, value]) => String(value))
}

/** What is left of a path below some field; empty where the path ends. */
type Path = readonly string[]

const HIDDEN = '***'
const digitRuns = new RegExp(groupedDigits, 'g')

function copy(value: unknown, paths: readonly Path[], clean: (text: string) => string): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  if (isNamed(paths)) return HIDDEN
  if (typeof value === 'string') return clean(value)
  // JSON has no number of this kind, and a log is JSON.
  if (typeof value === 'bigint') return clean(String(value))
  if (typeof value === 'number') {
    const text = String(value)
    const cleaned = clean(text)
    return cleaned === text ? value : cleaned
  }
  if (Array.isArray(value)) return value.map((item) => copy(item, paths, clean))
  // A message is plain JSON. What another kind of object would print is not known here, so it is not shown.
  if (!isFields(value)) return HIDDEN

  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [clean(name), copy(inner, under(paths, name), clean)]),
  )
}

function textsAt(value: unknown, paths: readonly Path[]): readonly string[] {
  if (paths.length === 0) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, paths))
  if (isFields(value)) {
    return Object.entries(value).flatMap(([name, inner]) => textsAt(inner, isNamed(paths) ? paths : under(paths, name)))
  }
  return isNamed(paths) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : []
}

const split = (paths: readonly string[]): readonly Path[] => paths.map((path) => path.split('.'))

const isNamed = (paths: readonly Path[]): boolean => paths.some((path) => path.length === 0)

function under(paths: readonly Path[], name: string): readonly Path[] {
  return paths.filter((path) => path[0] === name).map((path) => path.slice(1))
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A short value, such as a verification code, counts only where it stands by itself: it may be part of any reference. */
function hideValues(text: string, values: readonly string[]): string {
  return values.flatMap(spellings).reduce((shown, value) => {
    if (value === '') return shown
    if (value.length >= LONG_ENOUGH) return shown.replaceAll(value, HIDDEN)
    const literal = value.replace(/[^A-Za-z0-9]/g, '\\$&')
    return shown.replace(new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g'), HIDDEN)
  }, text)
}

const LONG_ENOUGH = 8

/** An acquirer may quote a body as it was sent, in which a value is escaped: in JSON, once more inside a text, in a form, in XML. */
function spellings(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const inForm = new URLSearchParams({ '': value }).toString().slice(1)
  return [...new Set([value, inJson, inForm, encodeURIComponent(value.toWellFormed()), inXml(value)])]
}

const inXml = (value: string): string =>
  value.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&apos;')
