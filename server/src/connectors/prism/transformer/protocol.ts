/**
 * What the gateway and the helper process say to each other: one JSON text per line, requests on the helper's standard input, answers on its
 * descriptor 3. Its own output goes nowhere, since it could quote card data.
 *
 * Values that JSON does not have are objects of one member: `{"$enum":["Currency","EUR"]}`, `{"$long":"1234"}`, `{"$bytes":"…base64…"}`.
 */
import { z } from 'zod'
import type { Mode } from '#domain/merchant.ts'
import type { JsonObject } from '../../../contracts/json.ts'

/** The flows of the package that the gateway uses. */
export type PrismFlow =
  | 'authorize'
  | 'token_authorize'
  | 'capture'
  | 'void'
  | 'refund'
  | 'get'
  | 'refund_get'
  | 'charge'
  | 'create_server_authentication_token'
  | 'create_server_session_authentication_token'
  | 'create_order'
  | 'customer_create'
  | 'tokenize'

/** What every request to the helper names: the flow, whose account it is, and the message. */
export interface PrismCall {
  readonly flow: PrismFlow
  readonly mode: Mode
  /** The configuration of one acquirer, by the package's name of it. */
  readonly config: JsonObject
  readonly request: JsonObject
}

/** A reply of the acquirer, to be read by the flow that made the request. */
export interface PrismReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface BuiltRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null where there is none. */
  readonly body: Buffer | null
}

/** The package does not build this request or cannot read this reply, and says why. */
export interface PrismRefusal {
  readonly code: string
  readonly message: string
  /** What the acquirer's error says, where the reply was one. */
  readonly error: unknown
}

export type PrismResult<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusal: PrismRefusal }

const refusalSchema = z.object({ code: z.string(), message: z.string(), error: z.unknown() })
const builtSchema = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.base64().nullable(),
})

export const helloSchema = z.object({ hello: z.string(), glibc: z.string().nullable(), rss: z.number() })

/** `rss` in bytes: the helper says how large it is with every answer. */
export const answerSchema = z.object({
  id: z.number(),
  rss: z.number(),
  refused: refusalSchema.optional(),
  built: builtSchema.optional(),
  answer: z.unknown().optional(),
})

export type HelperAnswer = z.infer<typeof answerSchema>

export const enumValue = (type: string, name: string): JsonObject => ({ $enum: [type, name] })
export const longValue = (value: bigint): JsonObject => ({ $long: String(value) })
