/**
 * JSON as tokens are allowed to use it (Chapter 40 §11.2, A1): bounded in size and depth, and no name twice in an object,
 * because two readers of the same token could then see two different tokens.
 */
import { isUtf8 } from 'node:buffer'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonMembers
export type JsonMembers = { readonly [name: string]: JsonValue }

export const tokenLimits = { bytes: 32 * 1024, depth: 8 } as const

/** The object that the text holds, or null when it holds anything else. */
export function strictJsonObject(text: string): JsonMembers | null {
  if (Buffer.byteLength(text) > tokenLimits.bytes || !text.isWellFormed()) return null
  const value = parsed(text)
  return isMembers(value) && isPlain(text) ? value : null
}

/** The same from bytes, which must be UTF-8. */
export function strictJsonBytes(bytes: Buffer): JsonMembers | null {
  return isUtf8(bytes) ? strictJsonObject(bytes.toString('utf8')) : null
}

export function isMembers(value: JsonValue | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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

/**
 * Whether depth and names are in order. Works on text that JSON.parse has accepted, so it need not look for faults, and
 * leaps over strings, which are nearly all of a token. It goes by the codes of characters, since it is on the way of every
 * token and texts of one character are slower to compare.
 */
function isPlain(text: string): boolean {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === codes.brace || code === codes.bracket) {
      open.push(code === codes.brace ? new Set() : null)
      if (open.length > tokenLimits.depth) return false
    } else if (code === codes.closingBrace || code === codes.closingBracket) {
      open.pop()
    } else if (code === codes.quote) {
      const end = closingQuote(text, at)
      if (isName(text, end) && !isNew(open.at(-1), text.slice(at + 1, end))) return false
      at = end
    }
  }
  return true
}

const codes = {
  quote: 0x22,
  colon: 0x3a,
  bracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  brace: 0x7b,
  closingBrace: 0x7d,
} as const

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

/** A string is a name when a colon follows, before or after white space: all that JSON knows of it lies up to the space. */
function isName(text: string, closing: number): boolean {
  let next = closing + 1
  while (text.charCodeAt(next) <= space) next += 1
  return text.charCodeAt(next) === codes.colon
}

const space = 0x20

/** A name may be written with escapes, and is then still the same name. */
function isNew(names: Set<string> | null | undefined, written: string): boolean {
  const name = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
  if (names?.has(name)) return false
  names?.add(name)
  return true
}
