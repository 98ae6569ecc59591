/**
 * What a request carries: JSON, a form, files or text of any other kind, such as XML. It is serialised once, so that the bytes that a connector
 * signs are the bytes that are sent.
 */
import { createHash } from 'node:crypto'

/** Values that say nothing (null, undefined) are left out. */
type FormValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue }

export type FormFields = Readonly<Record<string, FormValue>>

export type WireBody =
  | { readonly kind: 'json'; readonly contentType: string; readonly value: unknown }
  | { readonly kind: 'form'; readonly contentType: string; readonly fields: FormFields }
  | {
      readonly kind: 'text'
      readonly contentType: string
      readonly text: string
      /** What a log must not show. Of the other kinds the connector's `secretFields` say it. */
      readonly secrets: readonly string[]
      /** What a log shows in place of the text. */
      readonly shown?: unknown
    }
  | {
      readonly kind: 'parts'
      readonly contentType: string
      readonly boundary: string
      readonly parts: readonly FormPart[]
    }

/** A field or a file of `multipart/form-data`. */
interface FormPart {
  readonly name: string
  /** The name of a file; omitted for a field. */
  readonly fileName?: string
  readonly contentType?: string
  readonly bytes: Buffer
}

export const jsonBody = (value: unknown, contentType = 'application/json'): WireBody => ({
  kind: 'json',
  contentType,
  value,
})

/** Nested members are written in brackets, items of a list by their number: `card[number]=…&items[0][sku]=…`. */
export const formBody = (fields: FormFields, contentType = 'application/x-www-form-urlencoded'): WireBody => ({
  kind: 'form',
  contentType,
  fields,
})

export const textBody = (contentType: string, text: string, secrets: readonly string[]): WireBody => ({
  kind: 'text',
  contentType,
  text,
  secrets,
})

/** The boundary follows from the content: the same parts are the same bytes, and no part contains it. */
export function partsBody(parts: readonly FormPart[]): WireBody {
  const digest = createHash('sha256')
  for (const { name, bytes } of parts) digest.update(`${name} ${bytes.length} `).update(bytes)
  const boundary = `gatehouse-${digest.digest('hex').slice(0, 32)}`
  return { kind: 'parts', contentType: `multipart/form-data; boundary=${boundary}`, boundary, parts }
}

/** A bigint is written as a JSON number with all its digits, which a JavaScript number would lose above 2^53. */
const wholeNumbers = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJson(String(value)) : value

// Node has it; the library of types does not.
const rawJson: (text: string) => unknown = Reflect.get(JSON, 'rawJSON')

export function bytesOf(body: WireBody): Buffer {
  return body.kind === 'parts' ? bytesOfParts(body) : Buffer.from(textOf(body), 'utf8')
}

function bytesOfParts({ boundary, parts }: Extract<WireBody, { kind: 'parts' }>): Buffer {
  const written = parts.flatMap(({ name, fileName, contentType, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${quote(fileName)}"`
    const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"${file}\r\n${type}\r\n`
    return [Buffer.from(head, 'utf8'), bytes, Buffer.from('\r\n')]
  })
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

/** As browsers write names. */
const quote = (text: string): string => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

function textOf(body: Exclude<WireBody, { kind: 'parts' }>): string {
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.value, wholeNumbers)
    case 'form':
      return new URLSearchParams(
        Object.entries(body.fields).flatMap(([name, value]) => pairsOf(name, value)),
      ).toString()
    case 'text':
      return body.text
  }
}

type Pair = [name: string, value: string]

function pairsOf(name: string, value: FormValue): readonly Pair[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([inner, member]) => pairsOf(`${name}[${inner}]`, member))
}
