/**
 * What the gateway wrote about one payment, place by place, to search for a verification code with any text around it.
 *
 * Four digits occur in a long text by chance, so a single hit proves nothing. But a place that contains the code of one payment by chance
 * does not contain the code of the next one as well: a place is guilty if it contains the payment's own code for several payments.
 */
import type { Canary } from './canary.ts'

/** A canary with the names that identify it in rows and lines: its order, its payments, its request. */
export interface TracedCanary extends Canary {
  readonly names: readonly string[]
}

/** A text that the gateway wrote, and its place: a column, a field of a log line, a parameter of a callback. */
export interface Trace {
  readonly place: string
  readonly text: string
}

/** By chance one canary in four thousand has its code in a place; three in a hundred is no chance. */
const guiltyAbove = 2

/** Places that contain the code of the very payment they are about. */
export function guiltyPlaces(traced: readonly TracedCanary[], traces: readonly Trace[]): readonly string[] {
  const byName = new Map(traced.flatMap((canary) => canary.names.map((name) => [name, canary] as const)))
  const finds = new Map<string, Set<string>>()
  for (const record of recordsOf(traces)) {
    for (const canary of ownersOf(record, byName)) {
      for (const { place, text } of record.slice(1)) {
        if (!holds(text, canary.code)) continue
        const codes = finds.get(place) ?? new Set()
        finds.set(place, codes.add(canary.code))
      }
    }
  }
  return [...finds].flatMap(([place, codes]) =>
    codes.size > guiltyAbove
      ? [`${place} holds the codes of ${codes.size} payments, ${[...codes].at(0)} among them`]
      : [],
  )
}

/** Traces of one row or line are adjacent and begin with one that has the whole text. */
function recordsOf(traces: readonly Trace[]): readonly (readonly Trace[])[] {
  const records: Trace[][] = []
  for (const trace of traces) {
    if (trace.place === wholeRecord) records.push([trace])
    else records.at(-1)?.push(trace)
  }
  return records
}

export const wholeRecord = ''

function ownersOf([whole]: readonly Trace[], byName: ReadonlyMap<string, TracedCanary>): ReadonlySet<TracedCanary> {
  const words = whole?.text.match(/[A-Za-z0-9-]+/g) ?? []
  return new Set(words.flatMap((word) => byName.get(word) ?? []))
}

/** The code surrounded by anything but digits, after machine-generated parts were removed. */
function holds(text: string, code: string): boolean {
  const plain = decodeText(text).replaceAll(machineWritten, ' ')
  return new RegExp(`(?<![0-9])${code}(?![0-9])`).test(plain)
}

// Identifiers, instants and long runs of hexadecimal or base64, which contain any four digits sooner or later.
const machineWritten =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b[0-9a-f]{16,}\b|[A-Za-z0-9+/]{40,}={0,2}/gi

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** A row or line of JSON as traces, each text under its path. */
export function tracesOf(name: string, record: string): readonly Trace[] {
  const whole = { place: wholeRecord, text: record }
  const parsed = parse(record)
  return parsed === undefined ? [whole, { place: name, text: record }] : [whole, ...leaves(name, parsed)]
}

function leaves(place: string, value: unknown): readonly Trace[] {
  if (typeof value === 'string') return [{ place, text: value }]
  if (typeof value !== 'object' || value === null) return []
  // Entries of a list share a place: their index says nothing about their content.
  return Object.entries(value).flatMap(([key, one]) =>
    leaves(Array.isArray(value) ? `${place}[]` : `${place}.${key}`, one),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
