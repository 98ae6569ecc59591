/**
 * What a request carries: JSON, a form or text of any other kind, such as XML. It is serialised once, so that the bytes that a connector
 * signs are the bytes that are sent.
 */

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

/** A bigint is written as a JSON number with all its digits, which a JavaScript number would lose above 2^53. */
const wholeNumbers = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJson(String(value)) : value

// Node has it; the library of types does not.
const rawJson: (text: string) => unknown = Reflect.get(JSON, 'rawJSON')

export function bytesOf(body: WireBody): Buffer {
  return Buffer.from(textOf(body), 'utf8')
}

function textOf(body: WireBody): string {
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
