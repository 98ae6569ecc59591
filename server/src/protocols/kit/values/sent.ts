/** The value that was sent under a name. Empty values, white space and `null` count as not sent. */
import { isList, isTree, JsonNumber, type Value, type ValueTree } from '../bodies/value-tree.ts'

export type SentValue = Value | undefined

export function sentIn(tree: ValueTree, name: string): SentValue {
  const sent = Object.hasOwn(tree, name) ? tree[name] : undefined
  return isBlank(sent) ? undefined : sent
}

export const isBlank = (value: SentValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

/** True if a parameter counts as sent, even if its value is invalid. */
export const isSent = (tree: ValueTree, name: string): boolean => sentIn(tree, name) !== undefined

/** A valid text, or undefined. For rules that depend on another parameter, which reports its own violations. */
export function textIn(tree: ValueTree, name: string): string | undefined {
  const text = literalOf(sentIn(tree, name))
  return typeof text === 'string' ? text : undefined
}

export const flagIn = (tree: ValueTree, name: string): boolean => booleanOf(sentIn(tree, name)) ?? false

export const objectIn = (tree: ValueTree, name: string): ValueTree => objectOf(sentIn(tree, name)) ?? {}

/** Some languages write an empty object as an empty list. */
export function objectOf(sent: SentValue): ValueTree | undefined {
  if (isList(sent) && sent.length === 0) return {}
  return isTree(sent) ? sent : undefined
}

/** A number as its literal text. */
export const literalOf = (sent: SentValue): SentValue => (sent instanceof JsonNumber ? sent.literal : sent)

export function booleanOf(sent: SentValue): boolean | undefined {
  if (typeof sent === 'boolean') return sent
  const word = literalOf(sent)
  switch (typeof word === 'string' ? word.trim().toLowerCase() : '') {
    case 'true':
    case 'y':
    case '1':
      return true
    case 'false':
    case 'n':
    case '0':
      return false
    default:
      return undefined
  }
}

/** Digits, as a number or as text. */
export function integerOf(sent: SentValue): number | undefined {
  const literal = literalOf(sent)
  return typeof literal === 'string' && /^-?[0-9]{1,15}$/.test(literal.trim()) ? Number(literal) : undefined
}
