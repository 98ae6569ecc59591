/** Reads the body of a callback, form or JSON, as a tree of texts. Chapter 10 §11.1. */
import type { Branch, Tree } from '#domain/signature/signature.ts'
import { type FormTree, readForm } from '#server/protocols/kit/bodies/form.ts'

export interface CallbackBody {
  readonly format: 'form' | 'json'
  readonly fields: Tree
}

/** Null if it is neither. */
export function readBody(body: Buffer): CallbackBody | null {
  const text = body.toString('utf8').trim()
  if (text.startsWith('{')) {
    const fields = parseJson(text)
    return fields && { format: 'json', fields }
  }
  const reading = readForm(Buffer.from(text), undefined)
  return reading.ok ? { format: 'form', fields: textsIn(reading.tree) } : null
}

/** A field of the top level; undefined if it is missing or not a text. */
export function fieldOf(fields: Tree, name: string): string | undefined {
  const found = Object.entries(fields).find(([one]) => one === name)?.[1]
  return typeof found === 'string' ? found : undefined
}

/** Every text with its name in bracket notation, in the order of the body. */
export function flatFields(fields: Tree, prefix = ''): readonly (readonly [name: string, value: string])[] {
  return Object.entries(fields).flatMap(([name, branch]): readonly (readonly [string, string])[] => {
    const path = prefix === '' ? name : `${prefix}[${name}]`
    if (branch === undefined) return []
    return typeof branch === 'string' ? [[path, branch]] : flatFields(branch, path)
  })
}

function textsIn(tree: FormTree): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([name, leaf]): readonly [string, Branch] => {
      if (typeof leaf === 'symbol') return [name, undefined]
      return [name, typeof leaf === 'string' ? leaf : textsIn(leaf)]
    }),
  )
}

function parseJson(text: string): Tree | null {
  try {
    const parsed: unknown = JSON.parse(text)
    const branch = branchOf(parsed)
    return typeof branch === 'object' ? branch : null
  } catch {
    return null
  }
}

/** Our callbacks contain only texts; numbers in a body from another program are used as written. */
function branchOf(value: unknown): Branch {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value.map(branchOf)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, branchOf(member)]))
}
