/** What the OpenAPI documents of all protocols share. */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { release } from '#server/process/release.ts'
import type { Schema } from './value-schemas.ts'

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const jsonContent = (schema: Schema): Schema => ({ 'application/json': { schema } })

interface DocumentParts {
  readonly title: string
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Schema>>
  readonly webhooks: Readonly<Record<string, Schema>>
  readonly schemas: Readonly<Record<string, Schema>>
  /** The properties of an error that come before `errors`. */
  readonly error: Schema
}

/** The service replaces the server's address by its own when it serves the document. */
const placeholderServer = 'https://pay.example.com'

export function openApiDocument({ title, description, tags, paths, webhooks, schemas, error }: DocumentParts): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: release,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: placeholderServer }],
    // Key and signature are values of the body, which OpenAPI has no scheme for.
    security: [],
    tags,
    paths,
    webhooks,
    components: { schemas: { ...schemas, Error: error, ErrorRow: errorRow }, parameters },
  }
}

const errorRow: Schema = {
  type: 'object',
  properties: {
    error_code: { type: 'integer', const: 100000 },
    error_message: { type: 'string', description: 'The name of the parameter, a colon and what is wrong with it.' },
  },
  required: ['error_code', 'error_message'],
}

export const errorRows: Schema = {
  type: 'array',
  items: ref('ErrorRow'),
  description: 'One row per violation, in the order in which parameters are checked; empty for every other error.',
}

/** Every HTTP status of the catalogue that a merchant's server can get. */
export function errorResponses(): Readonly<Record<string, Schema>> {
  const byStatus = Map.groupBy(Object.values(errors), ({ http }) => http)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([http, these]) => [
        String(http),
        {
          description: `Refused. ${errorList(these)}`,
          content: jsonContent(ref('Error')),
          ...(http === 429 || http === 503 ? { headers: retryAfter } : {}),
        },
      ]),
  )
}

const retryAfter = {
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'string' } },
}

const errorList = (these: readonly { readonly code: number; readonly message: string }[]): string =>
  [...new Set(these.map(({ code, message }) => `\`${code}\` ${message}`))].join('; ')

/** Headers of every request, by their names as components. */
const parameters: Readonly<Record<string, Schema>> = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same body gets the first answer again for 24 hours, and charges once.',
    schema: { type: 'string', maxLength: 255 },
  },
  webhookId: {
    name: 'webhook-id',
    in: 'header',
    description: 'Of a signed request: accepted once, so that every attempt has a new one.',
    schema: { type: 'string', maxLength: limits.requestSignature.idLength },
  },
  webhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    description: 'Of a signed request: Unix seconds, within five minutes of the service’s time.',
    schema: { type: 'string' },
  },
  webhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    description:
      '`v1,` and the base64 of an HMAC-SHA-256 over `webhook-id`, `webhook-timestamp`, method, path, `Token`, `Idempotency-Key` and body. Required if the mapping option `requestSignature` is `required`.',
    schema: { type: 'string' },
  },
}

export const requestHeaders: readonly Schema[] = Object.keys(parameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

/** Headers that cover every byte of a callback. */
export const callbackHeaders: readonly Schema[] = [
  ['webhook-id', 'The same on every attempt: handle each callback once.'],
  ['webhook-timestamp', 'Unix seconds of this attempt: refuse old ones.'],
  ['webhook-signature', '`v1,` and the base64 of HMAC-SHA-256 over `<id>.<timestamp>.<body>`, one per active secret.'],
  ['webhook-sequence', 'The number of the callback within its payment, from 1.'],
].map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }))
