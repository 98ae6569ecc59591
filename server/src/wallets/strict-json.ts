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

/** Whether depth and names are in order. Works on text that JSON.parse has accepted, so it need not look for faults. */
function isPlain(text: string): boolean {
  const open: (Set<string> | null)[] = []
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null)
      if (open.length > tokenLimits.depth) return false
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token.endsWith(':')) {
      const names = open.at(-1)
      const name = unescaped(token.slice(0, token.lastIndexOf('"') + 1))
      if (names?.has(name)) return false
      names?.add(name)
    }
  }
  return true
}

/** A name may be written with escapes, and is then still the same name. */
function unescaped(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
}
