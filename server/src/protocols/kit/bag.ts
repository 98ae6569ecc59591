/** Free-form objects of a request: `parameters`, `custom_data` and the like. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Json, JsonObject } from '../../records.ts'
import { type FormLeaf, type FormTree, invalidText } from './form.ts'
import { fault, type Param } from './params.ts'

/** Stored and returned as it came, with the limits of chapter 10 §1.1. */
export const customData: Param<JsonObject | undefined> = bag(
  (value) => bytesOf(value) <= limits.request.customDataBytes,
)

/** Passed to the acquirer; which keys mean something depends on it. */
export const parameterBag: Param<JsonObject | undefined> = bag((value) =>
  leaves(value).every((leaf) => [...leaf].length <= limits.request.parameterValueLength),
)

function bag(fits: (value: JsonObject) => boolean): Param<JsonObject | undefined> {
  return {
    read: (name, { tree }) => {
      const node = tree[name]
      if (node === undefined || (typeof node === 'string' && node.trim() === '')) return { value: undefined }
      const value = typeof node === 'object' ? plain(node) : null
      if (value === null || !fits(value)) return fault(name, violations.notValid)
      return { value }
    },
  }
}

/** Null when any text inside is not UTF-8. */
function plain(tree: FormTree): JsonObject | null {
  const entries: [string, Json][] = []
  for (const [name, node] of Object.entries(tree)) {
    const value = plainNode(node)
    if (value === null) return null
    entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

function plainNode(node: FormLeaf | FormTree): Json {
  if (node === invalidText) return null
  return typeof node === 'string' ? node : plain(node)
}

const bytesOf = (value: JsonObject): number => Buffer.byteLength(JSON.stringify(value))

function leaves(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
