/** The OpenAPI document of the admin API, written from the list of endpoints. */
import { z } from 'zod'
import { permissions } from '../../../panel/access/permissions.ts'
import { adminFaults } from '../../../panel/admin-refused.ts'
import { release } from '../../../process/release.ts'
import type { Endpoint } from './endpoint.ts'
import { Components } from './openapi-components.ts'
import { pathParams } from './path-params.ts'
import { emptyBody } from './values.ts'

type Schema = Readonly<Record<string, unknown>>

/** The name over https; an instance without it states its own. */
const secureCookie = '__Host-gatehouse-admin'

export function openApi(endpoints: readonly Endpoint[], cookie = secureCookie): Schema {
  const components = new Components()
  const paths = Map.groupBy(endpoints, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))
  const operations = Object.fromEntries(
    [...paths].map(([path, those]) => [
      path,
      Object.fromEntries(those.map((one) => [methodOf(one), operationOf(one, components)])),
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse admin API',
      version: release,
      description: 'What the panel can do, for programs. Amounts are minor units as text, instants are ISO 8601.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/admin/api' }],
    security: [{ session: [] }, { serviceKey: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: `Operations below /${name}.` })),
    paths: operations,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookie,
          description: `Set by a sign-in; over plain http its name is gatehouse-admin. Every change also needs the header X-CSRF-Token, which the answer about the session contains.`,
        },
        serviceKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The key of a service account. Operations on secrets, rights and the own account need a session.',
        },
      },
      responses: refusals,
      schemas: { Error: errorSchema, ...components.listUsed() },
    },
    'x-permissions': Object.fromEntries(
      permissions.map(({ name, reach, roles, about }) => [name, { reach, roles, about }]),
    ),
  }
}

const methodOf = ({ method }: Endpoint): string => method.toLowerCase()

/** The first word of the address. */
const tagOf = ({ path }: Endpoint): string => path.split('/')[1] ?? ''

/** Method and address as one name: `getMerchantsByMerchantIdPayments`. It changes only with the address. */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path.split('/').filter((word) => word !== '')
  return [method.toLowerCase(), ...words.map((word) => capitalise(word.replace(/^:/, 'by-')))].join('')
}

const capitalise = (words: string): string =>
  words
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function operationOf(endpoint: Endpoint, components: Components): Schema {
  const { summary, access, tenancy, body, output } = endpoint
  const operationId = operationIdOf(endpoint)
  const name = capitalise(operationId)
  return {
    operationId,
    tags: [tagOf(endpoint)],
    summary,
    'x-access': access,
    'x-tenancy': tenancy,
    ...(endpoint.stepUp ? { 'x-step-up': true } : {}),
    ...(access === 'open' ? { security: [] } : {}),
    ...(access === 'signed-in' || endpoint.stepUp ? { security: [{ session: [] }] } : {}),
    parameters: [...pathParameters(endpoint, components), ...queryParameters(endpoint, components)],
    // A body without members may be left out.
    ...(body === null || body === emptyBody
      ? {}
      : { requestBody: { required: true, content: jsonOf(components.nameSchema(`${name}Request`, body, 'input')) } }),
    ...(endpoint.takesFile === true
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
      : {}),
    responses: {
      200: { description: 'Done.', content: contentOf(output, name, components) },
      ...Object.fromEntries(refusalsOf(endpoint).map((code) => [code, { $ref: `#/components/responses/${code}` }])),
      default: { description: 'Refused.', content: jsonOf({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

const jsonOf = (schema: Schema): Schema => ({ 'application/json': { schema } })

const contentOf = (output: Endpoint['output'], name: string, components: Components): Schema =>
  output instanceof z.ZodType
    ? jsonOf(components.nameSchema(`${name}Answer`, output, 'output'))
    : { [output.fileType]: { schema: { type: 'string' } } }

const pathParameters = ({ path }: Endpoint, components: Components): readonly Schema[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: components.schemaOf(pathParams[name] ?? z.string(), 'input'),
  }))

const queryParameters = ({ query }: Endpoint, components: Components): readonly Schema[] =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: ![z.ZodOptional, z.ZodDefault, z.ZodPrefault].some((kind) => schema instanceof kind),
    // Safe: every value of a shape is a schema; the library's type is wider.
    schema: components.schemaOf(schema as z.ZodType, 'input'),
  }))

/** The statuses with which an endpoint may refuse; any may also fail with 500. */
function refusalsOf({ access, method, path, body, query, stepUp }: Endpoint): readonly number[] {
  const isChange = method !== 'GET'
  const hasInput = (body !== null && body !== emptyBody) || Object.keys(query.shape).length > 0
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [status: number, isPossible: boolean])[] = [
    [401, true],
    [403, access !== 'open' || isChange || stepUp],
    [404, path.includes(':')],
    [409, isChange],
    [413, isChange],
    [422, hasInput || isChange],
    [429, access === 'open' || stepUp],
  ]
  return rows.filter(([, isPossible]) => isPossible).map(([status]) => status)
}

const refusals: Schema = Object.fromEntries(
  [...Map.groupBy(Object.entries(adminFaults), ([, [http]]) => http)]
    .filter(([http]) => http < 500 && http !== 405)
    .map(([http, rows]) => [
      http,
      {
        description: rows.map(([code, [, message]]) => `\`${code}\`: ${message}`).join(' '),
        content: jsonOf({ $ref: '#/components/schemas/Error' }),
      },
    ]),
)

const errorSchema: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'fields', 'requestId'],
      properties: {
        code: { enum: Object.keys(adminFaults) },
        message: { type: 'string' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'text'],
            properties: { field: { type: 'string' }, text: { type: 'string' } },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
}
