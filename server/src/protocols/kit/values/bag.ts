/** Free-form objects of a request: `parameters`, `custom_data` and the like. */

import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Json, JsonObject } from '../../../contracts/records.ts'
import type { FormLeaf, FormTree } from '../bodies/form.ts'
import { invalidText } from '../bodies/value-tree.ts'
import { codePoints } from './formats.ts'
import { fault, type Param } from './params.ts'

/** Stored and returned as it came. Names are bounded on their own, so that a value may use all of the limit of chapter 10 §1.1. */
export const customData: Param<JsonObject | undefined> = bag(
  `an object, up to ${limits.request.customDataBytes / 1024} KiB of values`,
  (value) =>
    [texts(value), names(value)].every((part) => Buffer.byteLength(part.join('')) <= limits.request.customDataBytes),
)

/** Passed to the acquirer; which keys mean something depends on it. */
export const parameterBag: Param<JsonObject | undefined> = bag(
  `an object, each value up to ${limits.request.parameterValueLength} characters`,
  (value) => hasShortTexts(value),
)

function bag(holds: string, fits: (value: JsonObject) => boolean): Param<JsonObject | undefined> {
  return {
    words: { sent: 'no', holds },
    read: (name, { tree }) => {
      const value = sentBag(tree, name)
      return value === invalidText || (value && !fits(value)) ? fault(name, violations.notValid) : { value }
    },
  }
}

/** The object that was sent under a name; what is no object, or has something in it that is no text, is not valid. */
export function sentBag(tree: FormTree, name: string): JsonObject | typeof invalidText | undefined {
  const node = tree[name]
  const value = node === undefined ? undefined : plain(node)
  return typeof value === 'string' ? invalidText : value
}

/** Whether every value in it, at any depth, is short enough to be handed on. */
export const hasShortTexts = (value: JsonObject): boolean =>
  texts(value).every((text) => codePoints(text) <= limits.request.parameterValueLength)

type Plain = string | JsonObject

/** Empty values are left out like any that was not sent, and an object of nothing else with them. */
function plain(node: FormLeaf | FormTree): Plain | typeof invalidText | undefined {
  if (node === invalidText) return invalidText
  if (typeof node === 'string') return node.trim() === '' ? undefined : node

  const entries: [string, Plain][] = []
  for (const [name, inner] of Object.entries(node)) {
    const value = plain(inner)
    if (value === invalidText) return invalidText
    if (value !== undefined) entries.push([name, value])
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

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null
