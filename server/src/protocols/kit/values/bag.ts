/** Free-form objects of a form: `parameters`, `custom_data` and the like. */
import { violations } from '#domain/errors.ts'
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import type { Json, JsonObject } from '../../../contracts/records.ts'
import { invalidText, isTree, type Value } from '../bodies/value-tree.ts'
import { codePoints } from './formats.ts'
import type { Param } from './params.ts'
import { fault, soundResult } from './read.ts'
import type { BaseReading } from './reading.ts'
import { isBlank, type SentValue } from './sent.ts'

/** Stored and returned unchanged. Names have a separate limit, so that a value may use the whole limit of chapter 10 §1.1. */
export const customData: Param<JsonObject | undefined, BaseReading> = bag(
  `an object, up to ${limits.request.customDataBytes / 1024} KiB of values`,
  (value) =>
    [texts(value), names(value)].every((part) => Buffer.byteLength(part.join('')) <= limits.request.customDataBytes),
)

/** Passed to the acquirer, which defines the keys. */
export const parameterBag: Param<JsonObject | undefined, BaseReading> = bag(
  `an object, each value up to ${limits.request.parameterValueLength} characters`,
  (value) => hasShortTexts(value),
)

function bag(holds: string, fits: (value: JsonObject) => boolean): Param<JsonObject | undefined, BaseReading> {
  return {
    words: { sent: 'no', holds, schema: { type: 'object' } },
    read: (path, sent) => {
      const value = bagOf(sent)
      return value === invalidText || (value && !fits(value)) ? fault(path, violations.notValid) : soundResult(value)
    },
  }
}

/** The sent object; anything else, or an object with a value that is not text, is invalid. */
export function bagOf(sent: SentValue): JsonObject | typeof invalidText | undefined {
  const value = sent === undefined ? undefined : plainValue(sent)
  return typeof value === 'string' ? invalidText : value
}

/** True if every value, at any depth, is short enough to be forwarded. */
export const hasShortTexts = (value: JsonObject): boolean =>
  texts(value).every((text) => codePoints(text) <= limits.request.parameterValueLength)

type PlainValue = string | JsonObject

/** Empty values count as not sent, and so does an object of empty values. */
function plainValue(value: Value): PlainValue | typeof invalidText | undefined {
  if (isBlank(value)) return undefined
  if (typeof value === 'string') return value
  if (!isTree(value)) return invalidText

  const entries: [string, PlainValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    const text = plainValue(inner)
    if (text === invalidText) return invalidText
    if (text !== undefined) entries.push([name, text])
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return isObject(value) ? Object.values(value).flatMap(texts) : []
}

function names(value: Json): readonly string[] {
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...names(inner)]) : []
}
