/** What an acquirer answered. A connector reads the body as JSON, form or text, as the acquirer documents; `bytes` is for signatures. */

export interface WireReply {
  readonly status: number
  /** The headers by their lower-case names; the values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Exactly as they came. */
  readonly bytes: Buffer
  /** Undefined if the content type or the body is not JSON, as in a proxy's error page; every schema rejects undefined. */
  json(): unknown
  /** The fields by name; a repeated name has its last value. Any text parses as a form, so check that the expected names are present. */
  form(): Readonly<Record<string, string>>
  /** In the character set that the answer names, otherwise UTF-8. */
  text(): string
}

type ReplyParts = Pick<WireReply, 'status' | 'headers' | 'bytes'>

export function wireReply({ status, headers, bytes }: ReplyParts): WireReply {
  const contentType = headers['content-type'] ?? ''
  const text = (): string => storable(decoderOf(contentType).decode(bytes))
  // A connector reads the body more than once, and the log reads it again.
  let parsed: { readonly body: unknown } | undefined
  const json = (): unknown => {
    parsed ??= { body: isJson(contentType) ? parseJson(text()) : undefined }
    return parsed.body
  }
  return {
    status,
    headers,
    bytes,
    text,
    json,
    form: () =>
      Object.fromEntries([...new URLSearchParams(text())].map(([name, value]) => [storable(name), storable(value)])),
  }
}

/** As a log may show it, not scrubbed yet. */
export function describeReply(reply: WireReply): unknown {
  const contentType = reply.headers['content-type'] ?? ''
  if (reply.bytes.length === 0) return null
  if (isJson(contentType)) return reply.json() ?? reply.text()
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? reply.form() : reply.text()
}

const isJson = (contentType: string): boolean => /\bjson\b/i.test(contentType)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, unstorable.test(text) ? mendValue : undefined)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder()

function decoderOf(contentType: string) {
  const [, charset] = /charset="?([^\s;"]+)/i.exec(contentType) ?? []
  if (charset === undefined || /^utf-?8$/i.test(charset)) return utf8
  try {
    return new TextDecoder(charset)
  } catch {
    // An unknown name: most answers are UTF-8 whatever they call it.
    return utf8
  }
}

/** JSON can write characters that PostgreSQL stores in no text: the zero, and halves of characters. */
const unstorable = /\\u(?:0000|d[89a-f])/i

const mendValue = (_name: string, value: unknown): unknown => (typeof value === 'string' ? storable(value) : value)

/** An acquirer's words are stored with the outcome. If the database refused them, the outcome could never be written. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
