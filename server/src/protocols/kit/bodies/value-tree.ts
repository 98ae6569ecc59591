/**
 * The values of a request. Fields of a form and members of JSON become the same tree, so that one table of parameters reads both.
 *
 * Numbers keep the literal text of the body, because hashes are computed over it and `0.10` is not `0.1`.
 */
import { isObject } from '#domain/json.ts'

export type Value = string | boolean | null | JsonNumber | typeof invalidText | readonly Value[] | ValueTree

export interface ValueTree {
  readonly [name: string]: Value
}

/** Marks a form value whose bytes are not text. */
export const invalidText: unique symbol = Symbol('invalid text')

/** A number with its literal text. */
export class JsonNumber {
  readonly literal: string

  constructor(literal: string) {
    this.literal = literal
  }
}

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)

export const isTree = (value: Value | undefined): value is ValueTree =>
  isObject(value) && !(value instanceof JsonNumber)
