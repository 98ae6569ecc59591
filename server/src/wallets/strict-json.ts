/**
 * JSON as tokens are allowed to use it (Chapter 40 §11.2, A1): bounded in size and depth, and no name twice in an object,
 * because two readers of the same token could then see two different tokens.
 */
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
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? strictJsonObject(text) : null
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
 * leaps over strings, which are nearly all of a token.
 */
function isPlain(text: string): boolean {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > tokenLimits.depth) return false
    } else if (character === '}' || character === ']') {
      open.pop()
    } else if (character === '"') {
      const end = closingQuote(text, at)
      if (isName(text, end) && !isNew(open.at(-1), text.slice(at, end + 1))) return false
      at = end
    }
  }
  return true
}

function closingQuote(text: string, opening: number): number {
  let end = text.indexOf('"', opening + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** A quote after an odd number of backslashes belongs to the string. */
function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** A string is a name when a colon follows. */
function isName(text: string, closing: number): boolean {
  let next = closing + 1
  while (/\s/.test(text[next] ?? '')) next += 1
  return text[next] === ':'
}

/** A name may be written with escapes, and is then still the same name. */
function isNew(names: Set<string> | null | undefined, quoted: string): boolean {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  if (names?.has(name)) return false
  names?.add(name)
  return true
}
