/** JSON Schemas of requests, from the tables by which the service reads them. */
import type { ValueSchema, Words } from '#server/protocols/kit/values/params.ts'

export type Schema = Readonly<Record<string, unknown>>

type DocumentedTable = Readonly<Record<string, { readonly words: Words }>>

/** Parameters under their names; a rule that a schema cannot state is in the description. Unknown names are ignored by the service. */
export function objectSchema(table: DocumentedTable, first: Readonly<Record<string, Schema>> = {}): Schema {
  const words = Object.fromEntries(Object.entries(table).map(([name, param]) => [name, param.words]))
  return schemaOfParts(words, first)
}

function schemaOfParts(parts: Readonly<Record<string, Words>>, first: Readonly<Record<string, Schema>> = {}): Schema {
  const required = Object.entries(parts).flatMap(([name, { sent }]) => (sent === 'yes' ? [name] : []))
  const names = [...Object.keys(first), ...required]
  return {
    type: 'object',
    properties: {
      ...first,
      ...Object.fromEntries(Object.entries(parts).map(([name, words]) => [name, valueSchema(name, words)])),
    },
    ...(names.length > 0 ? { required: names } : {}),
  }
}

function valueSchema(name: string, { sent, holds, schema = {}, parts }: Words): Schema {
  const description = describe(sent, elsewhere[name] ?? holds)
  if (parts) return { ...schemaOfParts(parts), description }
  return { ...typedSchema(schema), ...retiredMark(sent), description }
}

/** Values are texts unless their schema says otherwise. */
const typedSchema = (schema: ValueSchema): Schema => ({ type: 'string', ...schema })

/** A retired parameter is refused whatever it holds. */
const retiredMark = (sent: string): Schema => (sent === 'never' ? { deprecated: true } : {})

/** These are the same everywhere, and are checked in other steps than the parameters. */
const elsewhere: Readonly<Record<string, string>> = {
  client_key: "the merchant's key or test key",
  merchant_key: "the merchant's key or test key",
  hash: 'the signature, in hexadecimal; its formula is in the description of this request',
}

function describe(sent: string, holds: string): string {
  const what = plainText(holds)
  const rule = sent === 'yes' || sent === 'no' ? '' : ` Must be sent: ${plainText(sent)}.`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.${rule}`
}

/** Links of the reference lead nowhere in a document that is read alone. */
export const plainText = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
