/**
 * Splits a `multipart/form-data` body, given as one character per byte, into its fields. Files are passed over (Chapter 10 §1.1).
 *
 * The body is already whole and small, so it is cut at its delimiters instead of being streamed. Strict where leniency could
 * merge or lose fields: every part has a name, no part is in a transfer encoding, and the closing delimiter is there.
 */
import type { RawField } from './raw-field.ts'

/** The boundary in the content type; null if there is no valid one. */
export function boundaryOf(contentType: string): string | null {
  const semicolon = contentType.indexOf(';')
  const boundary = semicolon === -1 ? null : parametersOf(contentType.slice(semicolon))?.get('boundary')
  return boundary && boundary.length <= LONGEST_BOUNDARY ? boundary : null
}

/** Yields null, and ends, where the body cannot be read. */
export function* multipartFields(body: string, boundary: string): Generator<RawField | null> {
  const delimiter = `\r\n--${boundary}`
  // The first delimiter may open the body; with a line end in front it is found like the others.
  const text = `\r\n${body}`

  let at = text.indexOf(delimiter)
  while (at !== -1) {
    at += delimiter.length
    if (text.startsWith('--', at)) return

    const start = afterLineEnd(text, at)
    const end = start === null ? -1 : text.indexOf(delimiter, start)
    const part = start === null || end === -1 ? null : partOf(text.slice(start, end))
    if (!part) break
    if (part !== 'file') yield part
    at = end
  }
  yield null
}

// RFC 2046 §5.1.1.
const LONGEST_BOUNDARY = 70

function afterLineEnd(text: string, at: number): number | null {
  const padding = /[ \t]*\r\n/y
  padding.lastIndex = at
  return padding.test(text) ? padding.lastIndex : null
}

function partOf(part: string): RawField | 'file' | null {
  const blank = part.indexOf('\r\n\r\n')
  if (blank === -1) return null

  const headers = headersOf(part.slice(0, blank))
  const disposition = /^form-data\s*(;.*)$/is.exec(headers.get('content-disposition') ?? '')
  const parameters = disposition?.[1] === undefined ? null : parametersOf(disposition[1])
  const name = parameters?.get('name')
  if (!parameters || name === undefined) return null

  if (parameters.has('filename') || parameters.has('filename*')) return 'file'
  if (!/^(?:7bit|8bit|binary)$/i.test(headers.get('content-transfer-encoding') ?? 'binary')) return null
  return { name: unescapedName(name), value: part.slice(blank + 4) }
}

function headersOf(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** `; name="a"; filename=b` as a map; null when anything else stands between. */
function parametersOf(text: string): ReadonlyMap<string, string> | null {
  const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/gsy
  const parameters = new Map<string, string>()
  let end = 0
  for (const [whole, name = '', quoted, token = ''] of text.matchAll(parameter)) {
    parameters.set(name.toLowerCase(), quoted ?? token)
    end += whole.length
  }
  return /^;?\s*$/.test(text.slice(end)) ? parameters : null
}

/** Browsers escape a quotation mark and line ends with a percent sign, older clients a quotation mark with a backslash. */
function unescapedName(name: string): string {
  return name
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')
}
