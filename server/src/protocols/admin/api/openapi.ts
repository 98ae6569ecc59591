/** The OpenAPI document of the admin API, written from the list of endpoints. */
import { z } from 'zod'
import { permissions } from '../../../panel/access/permissions.ts'
import { adminFaults } from '../../../panel/admin-refused.ts'
import { release } from '../../../process/release.ts'
import type { Endpoint } from './endpoint.ts'
import { pathParams } from './path-params.ts'

type Schema = Readonly<Record<string, unknown>>

export function openApi(endpoints: readonly Endpoint[]): Schema {
  const paths = Map.groupBy(endpoints, ({ path }) => path.replace(/:(\w+)/g, '{$1}'))
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse admin API', version: release },
    servers: [{ url: '/admin/api' }],
    security: [{ session: [] }],
    paths: Object.fromEntries(
      [...paths].map(([path, those]) => [
        path,
        Object.fromEntries(those.map((one) => [methodOf(one), operationOf(one)])),
      ]),
    ),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gatehouse-admin',
          description:
            'Set by a sign-in. Every change also needs the header X-CSRF-Token, which the answer about the session contains.',
        },
      },
      schemas: { Error: errorSchema },
    },
    'x-permissions': Object.fromEntries(
      permissions.map(({ name, reach, roles, about }) => [name, { reach, roles, about }]),
    ),
  }
}

const methodOf = ({ method }: Endpoint): string => method.toLowerCase()

function operationOf(endpoint: Endpoint): Schema {
  const { summary, access, tenancy, body, output } = endpoint
  return {
    summary,
    'x-access': access,
    'x-tenancy': tenancy,
    ...(endpoint.stepUp ? { 'x-step-up': true } : {}),
    ...(access === 'open' ? { security: [] } : {}),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint)],
    ...(body === null ? {} : { requestBody: { required: true, content: jsonOf(schemaOf(body, 'input')) } }),
    responses: {
      200: { description: 'Done.', content: contentOf(output) },
      default: { description: 'Refused.', content: jsonOf({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

const jsonOf = (schema: Schema): Schema => ({ 'application/json': { schema } })

const contentOf = (output: Endpoint['output']): Schema =>
  output instanceof z.ZodType
    ? jsonOf(schemaOf(output, 'output'))
    : { [output.fileType]: { schema: { type: 'string' } } }

const pathParameters = ({ path }: Endpoint): readonly Schema[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(pathParams[name] ?? z.string(), 'input'),
  }))

const queryParameters = ({ query }: Endpoint): readonly Schema[] =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: ![z.ZodOptional, z.ZodDefault, z.ZodPrefault].some((kind) => schema instanceof kind),
    // Safe: every value of a shape is a schema; the library's type is wider.
    schema: schemaOf(schema as z.ZodType, 'input'),
  }))

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def
      if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      if (type === 'bigint') Object.assign(jsonSchema, { type: 'string', pattern: '^-?[0-9]+$' })
    },
  })
  return written
}

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
