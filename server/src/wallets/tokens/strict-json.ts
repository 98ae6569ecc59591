/**
 * The JSON that tokens may use (Chapter 40 §11.2, A1): limited in size and depth, and without duplicate names in an object, because two
 * readers could otherwise see two different tokens.
 */

import { isUtf8 } from 'node:buffer'
import { isObject } from '#domain/json.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonMembers
export type JsonMembers = { readonly [name: string]: JsonValue }

const tokenLimits = { bytes: 32 * 1024, depth: 8 } as const

/** The object in the text, or null for anything else. */
export function strictJsonObject(text: string, revive?: Reviver): JsonMembers | null {
  if (Buffer.byteLength(text) > tokenLimits.bytes || !text.isWellFormed()) return null
  const value = parseJson(text, revive)
  if (!isMembers(value)) return null
  const names = countNames(value, 1)
  // Of a duplicate name only one is left after parsing, so the counts differ.
  return names !== null && names === countWrittenNames(text) ? value : null
}

/** The same from bytes, which must be UTF-8. A number that only rounding makes whole becomes NaN. */
export function strictJsonBytes(bytes: Buffer): JsonMembers | null {
  return isUtf8(bytes) ? strictJsonObject(bytes.toString('utf8'), keepExactNumbers) : null
}

type Reviver = (name: string, value: JsonValue, context?: { readonly source?: string }) => JsonValue

/** `198.99999999999999999` is parsed as 199, although a payer never confirmed that amount. */
const keepExactNumbers: Reviver = (_name, value, context) =>
  typeof value === 'number' && Number.isInteger(value) && !wholeNumber.test(context?.source ?? '') ? Number.NaN : value

const wholeNumber = /^-?\d+(?:\.0+)?$/

export const isMembers = (value: JsonValue | undefined): value is JsonMembers => isObject(value)

/** An own member of the object: a name such as `constructor` must not find an inherited property. */
export function member(object: JsonMembers, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function parseJson(text: string, revive: Reviver | undefined): JsonValue | undefined {
  try {
    // JSON.parse is untyped, and this union is all that it can return.
    return JSON.parse(text, revive) as JsonValue
  } catch {
    return undefined
  }
}

/** The number of names in all objects of the value; null if it is nested too deeply. */
function countNames(value: JsonMembers | readonly JsonValue[], depth: number): number | null {
  if (depth > tokenLimits.depth) return null
  const inside = Object.values(value)
  let names = Array.isArray(value) ? 0 : inside.length
  for (const one of inside) {
    if (typeof one !== 'object' || one === null) continue
    const below = countNames(one, depth + 1)
    if (below === null) return null
    names += below
  }
  return names
}

/**
 * The number of names in the text. The text was accepted by JSON.parse, so faults need not be checked. It jumps from string to string,
 * which make up most of a token: a string followed by a colon is a name.
 */
function countWrittenNames(text: string): number {
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

/** White space may precede the colon; all JSON white space has codes up to that of the space. */
function isName(text: string, closing: number): boolean {
  let next = closing + 1
  while (text.charCodeAt(next) <= space) next += 1
  return text.charCodeAt(next) === codes.colon
}

const space = 0x20
