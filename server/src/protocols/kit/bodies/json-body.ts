/**
 * Reads a JSON request as tolerantly as deployed clients need it: chapter 30 §1.3.
 *
 * White space around keys is removed, except inside objects whose content belongs to the merchant; those stay unchanged.
 */
import { limits } from '#domain/limits.ts'
import { isStorable } from '#domain/storable-text.ts'
import { invalidText, isList, isTree, JsonNumber, type Value, type ValueTree } from './value-tree.ts'

type JsonReading =
  | { readonly ok: true; readonly tree: ValueTree }
  | { readonly ok: false; readonly fault: 'too-large' | 'not-json' }

/** `exactNames` lists the members whose keys stay unchanged at every depth. */
export function readJsonBody(body: Buffer, exactNames: readonly string[]): JsonReading {
  const parsed = parse(body)
  if (parsed === undefined) return { ok: false, fault: 'not-json' }
  // Some languages write an empty object as an empty list.
  const tree = isList(parsed) && parsed.length === 0 ? {} : parsed
  if (!isTree(tree)) return { ok: false, fault: 'not-json' }
  if (!withinLimits(tree)) return { ok: false, fault: 'too-large' }
  return { ok: true, tree: trimMembers(tree, new Set(exactNames)) }
}

/** The value as plain JSON, for storing and forwarding; a number that JSON cannot represent exactly becomes text. */
export function plainJson(value: Value): PlainJson {
  if (value === invalidText) throw new Error('A value that is no text passed its parameter table.')
  if (value instanceof JsonNumber) {
    const number = Number(value.literal)
    return String(number) === value.literal ? number : value.literal
  }
  if (isList(value)) return value.map(plainJson)
  if (isTree(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainJson(inner)]))
  return value
}

type PlainJson = string | number | boolean | null | readonly PlainJson[] | { readonly [name: string]: PlainJson }

const byteOrderMark = '\uFEFF'

function parse(body: Buffer): Value | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text, keepLiteral)
  } catch {
    return undefined
  }
}

/** The third argument is missing in the library's types. */
function keepLiteral(this: unknown, name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
    throw new SyntaxError('A character that is none.')
  return typeof value === 'number' ? new JsonNumber(source ?? String(value)) : value
}

function withinLimits(tree: Value): boolean {
  let members = 0
  const fits = (value: Value, depth: number): boolean => {
    if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return true
    if (depth > limits.request.nestingDepth) return false
    const inside = Object.values(value)
    members += inside.length
    return members <= limits.request.parameters && inside.every((one) => fits(one, depth + 1))
  }
  return fits(tree, 1)
}

/** An exact key takes precedence over a trimmed one. */
function trimMembers(members: ValueTree, exactNames: ReadonlySet<string>): ValueTree {
  const entries = Object.entries(members).map(([name, value]): [string, Value, boolean] => {
    const key = name.trim()
    return [key, exactNames.has(key) ? value : trimValue(value, exactNames), key === name]
  })
  const exact = entries.filter(([, , isExact]) => isExact)
  const others = entries.filter(([, , isExact]) => !isExact)
  return Object.fromEntries([...others, ...exact].map(([key, value]) => [key, value]))
}

function trimValue(value: Value, exactNames: ReadonlySet<string>): Value {
  if (isList(value)) return value.map((one) => trimValue(one, exactNames))
  return isTree(value) ? trimMembers(value, exactNames) : value
}
