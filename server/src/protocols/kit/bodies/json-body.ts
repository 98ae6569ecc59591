/**
 * Reads a JSON request as tolerantly as deployed clients need it: chapter 30 §1.3.
 *
 * Numbers keep the literal text of the body, because hashes are computed over it and `0.10` is not `0.1`. White space around keys is
 * taken off, except inside objects whose content belongs to the merchant; there nothing is touched.
 */
import { isObject } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import { isStorable } from '#domain/storable-text.ts'

export type JsonTree = string | boolean | null | JsonNumber | readonly JsonTree[] | JsonMembers
export type JsonMembers = { readonly [name: string]: JsonTree }

/** A number as it was written. */
export class JsonNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }
}

type JsonReading =
  | { readonly ok: true; readonly members: JsonMembers }
  | { readonly ok: false; readonly fault: 'too-large' | 'not-json' }

/** `untouched` names the members whose keys stay as they are at every depth. */
export function readJsonBody(body: Buffer, untouched: readonly string[]): JsonReading {
  const parsed = parse(body)
  if (parsed === undefined) return { ok: false, fault: 'not-json' }
  // An empty list stands for an empty object: that is how some languages write one.
  const tree = Array.isArray(parsed) && parsed.length === 0 ? {} : parsed
  if (!isMembers(tree)) return { ok: false, fault: 'not-json' }
  if (!withinLimits(tree)) return { ok: false, fault: 'too-large' }
  return { ok: true, members: trimmed(tree, new Set(untouched)) }
}

export const isMembers = (value: JsonTree | undefined): value is JsonMembers =>
  isObject(value) && !(value instanceof JsonNumber)

const isList = (value: JsonTree): value is readonly JsonTree[] => Array.isArray(value)

/** The tree as ordinary JSON, for what is stored and handed on; a number that a JSON number cannot hold exactly becomes text. */
export function plainJson(tree: JsonTree): PlainJson {
  if (tree instanceof JsonNumber) {
    const number = Number(tree.literal)
    return String(number) === tree.literal ? number : tree.literal
  }
  if (isList(tree)) return tree.map(plainJson)
  if (isMembers(tree)) return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, plainJson(value)]))
  return tree
}

type PlainJson = string | number | boolean | null | readonly PlainJson[] | { readonly [name: string]: PlainJson }

const byteOrderMark = '\uFEFF'

function parse(body: Buffer): JsonTree | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text, keepLiteral)
  } catch {
    return undefined
  }
}

/** The third argument is younger than the library's own types. */
function keepLiteral(this: unknown, name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
    throw new SyntaxError('A character that is none.')
  return typeof value === 'number' ? new JsonNumber(source ?? String(value)) : value
}

function withinLimits(tree: JsonTree): boolean {
  let members = 0
  const fits = (value: JsonTree, depth: number): boolean => {
    if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return true
    if (depth > limits.request.nestingDepth) return false
    const inside = Object.values(value)
    members += inside.length
    return members <= limits.request.parameters && inside.every((one) => fits(one, depth + 1))
  }
  return fits(tree, 1)
}

/** An exact key wins over one that had to be trimmed. */
function trimmed(members: JsonMembers, untouched: ReadonlySet<string>): JsonMembers {
  const entries = Object.entries(members).map(([name, value]): [string, JsonTree, boolean] => {
    const key = name.trim()
    return [key, untouched.has(key) ? value : inside(value, untouched), key === name]
  })
  const exact = entries.filter(([, , isExact]) => isExact)
  const others = entries.filter(([, , isExact]) => !isExact)
  return Object.fromEntries([...others, ...exact].map(([key, value]) => [key, value]))
}

function inside(value: JsonTree, untouched: ReadonlySet<string>): JsonTree {
  if (isList(value)) return value.map((one) => inside(one, untouched))
  return isMembers(value) ? trimmed(value, untouched) : value
}
