/**
 * JSON as tokens are allowed to use it (Chapter 40 §11.2, A1): bounded in size and depth, and no name twice in an object,
 * because two readers of the same token could then see two different tokens.
 */

import { isUtf8 } from 'node:buffer'
import { isObject } from '#domain/json.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonMembers
export type JsonMembers = { readonly [name: string]: JsonValue }

const tokenLimits = { bytes: 32 * 1024, depth: 8 } as const

/** The object that the text holds, or null when it holds anything else. */
export function strictJsonObject(text: string): JsonMembers | null {
  if (Buffer.byteLength(text) > tokenLimits.bytes || !text.isWellFormed()) return null
  const value = parsed(text)
  if (!isMembers(value)) return null
  const names = namesIn(value, 1)
  // Of a name that stands twice in an object only one is left once it is parsed.
  return names !== null && names === namesWritten(text) ? value : null
}

/** The same from bytes, which must be UTF-8. */
export function strictJsonBytes(bytes: Buffer): JsonMembers | null {
  return isUtf8(bytes) ? strictJsonObject(bytes.toString('utf8')) : null
}

export const isMembers = (value: JsonValue | undefined): value is JsonMembers => isObject(value)

/** A member of the object itself: a name such as `constructor` must not find what every object inherits. */
export function member(object: JsonMembers, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse promises nothing about its result, and this union is all that it can give.
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** How many names the objects of the value have together; null when it is nested too deeply. */
function namesIn(value: JsonMembers | readonly JsonValue[], depth: number): number | null {
  if (depth > tokenLimits.depth) return null
  const inside = Object.values(value)
  let names = Array.isArray(value) ? 0 : inside.length
  for (const one of inside) {
    if (typeof one !== 'object' || one === null) continue
    const below = namesIn(one, depth + 1)
    if (below === null) return null
    names += below
  }
  return names
}

/**
 * How many names the text has. Works on text that JSON.parse has accepted, so it need not look for faults, and leaps from
 * string to string, which are nearly all of a token: a string is a name when a colon follows.
 */
function namesWritten(text: string): number {
  let names = 0
  for (let opening = text.indexOf('"'); opening !== -1; ) {
    const closing = closingQuote(text, opening)
    if (isName(text, closing)) names += 1
    opening = text.indexOf('"', closing + 1)
  }
  return names
}

const codes = { colon: 0x3a, backslash: 0x5c } as const

function closingQuote(text: string, opening: number): number {
  let end = text.indexOf('"', opening + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** A quote after an odd number of backslashes belongs to the string. */
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === codes.backslash) backslashes += 1
  return backslashes % 2 === 1
}

/** Before the colon there may be white space: all that JSON knows of it lies up to the space. */
function isName(text: string, closing: number): boolean {
  let next = closing + 1
  while (text.charCodeAt(next) <= space) next += 1
  return text.charCodeAt(next) === codes.colon
}

const space = 0x20
