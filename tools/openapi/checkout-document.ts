/** The OpenAPI document of Checkout: the endpoints for merchants' servers, the calls of hosted fields, and the callback. */
import { errors } from '#domain/errors.ts'
import type { Endpoint } from '#server/protocols/checkout/endpoint.ts'
import { endpoints } from '#server/protocols/checkout/index.ts'
import { fieldsCalls } from '#server/protocols/hosted-page/fields/calls.ts'
import { callErrors } from '../docs/hosted-fields.ts'
import { checkoutAnswers, checkoutCallback } from './checkout-answers.ts'
import {
  callbackHeaders,
  errorResponses,
  errorRows,
  jsonContent,
  openApiDocument,
  ref,
  requestHeaders,
} from './document.ts'
import { schemaName } from './form-documents.ts'
import { formulasOf, formulaText } from './formula-text.ts'
import { objectSchema, plainText, type Schema } from './value-schemas.ts'

const serverTag = 'Checkout'
const fieldsTag = 'Hosted Payment Fields'

// biome-ignore format: a table is read in columns.
const summaries: Readonly<Record<string, string>> = {
  'session':        'Create a session of the hosted page',
  'session-token':  'Create a session of hosted fields',
  'status':         'Look up a payment or the payments of an order',
  'capture':        'Capture a hold',
  'refund':         'Refund a payment or release a hold',
  'void':           'Cancel a payment on its financial day',
  'recurring':      'Charge a chain',
  'retry':          'Retry a declined recurring payment',
  'card-credit':    'Pay out to a card',
  'processing':     'Pay with the collected card data',
  'session-update': 'Change a session before it is paid',
}

export const checkoutDocument = (): Schema =>
  openApiDocument({
    title: 'Gatehouse Checkout',
    description:
      'Sessions of the hosted page and of hosted fields, and what follows a payment. Requests and answers are JSON; success is always HTTP 200.',
    tags: [
      { name: serverTag, description: 'Called by the merchant’s server with `merchant_key` and `hash`.' },
      { name: fieldsTag, description: 'Called by the merchant’s server with the session token in the header `Token`.' },
    ],
    paths: {
      ...Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { post: endpointOperation(endpoint) }])),
      ...Object.fromEntries(
        fieldsCalls.flatMap((call) => call.paths.map((path) => [path, fieldsOperation(call, path)] as const)),
      ),
    },
    webhooks: { payment: webhook },
    schemas: {
      ...Object.fromEntries(
        endpoints.flatMap(({ name, params }) => [
          [schemaName(name, 'Request'), { ...objectSchema(params), description: hashText(name) }] as const,
          [schemaName(name, 'Answer'), checkoutAnswers[name] ?? missing(name)] as const,
        ]),
      ),
      ...Object.fromEntries(
        fieldsCalls.flatMap(({ name, params, answer }) => [
          [schemaName(name, 'Request'), objectSchema(params)] as const,
          [schemaName(name, 'Answer'), membersSchema(answer)] as const,
        ]),
      ),
      PaymentCallback: checkoutCallback,
    },
    error: errorSchema,
  })

function missing(name: string): never {
  throw new Error(`The endpoint ${name} has no answer in tools/openapi/checkout-answers.ts.`)
}

const hashText = (name: string): string =>
  ['`hash`:', ...formulasOf('checkout', name).map((formula) => `- ${formulaText(formula)}`)].join('\n')

function endpointOperation({ name }: Endpoint): Schema {
  return {
    operationId: `checkout-${name}`,
    summary: summaries[name] ?? missing(name),
    tags: [serverTag],
    parameters: requestHeaders,
    requestBody: { required: true, content: jsonContent(ref(schemaName(name, 'Request'))) },
    responses: {
      200: { description: 'Done.', content: jsonContent(ref(schemaName(name, 'Answer'))) },
      ...errorResponses(),
    },
  }
}

type FieldsCall = (typeof fieldsCalls)[number]

function fieldsOperation({ name, method }: FieldsCall, path: string): Schema {
  const rows = (callErrors[name] ?? []).map(
    ([error, when]) => `- ${errors[error].http} \`${errors[error].code}\` ${errors[error].message}: ${when}`,
  )
  const operation = {
    operationId: `fields-${path.replace('/api/v1/', '').replaceAll('/', '-')}`,
    summary: summaries[name] ?? missing(name),
    description: ['Errors of this call:', ...rows].join('\n'),
    tags: [fieldsTag],
    parameters: [
      { name: 'Token', in: 'header', required: true, description: 'The session token.', schema: { type: 'string' } },
      ...requestHeaders,
    ],
    requestBody: { required: true, content: jsonContent(ref(schemaName(name, 'Request'))) },
    responses: {
      200: { description: 'The outcome.', content: jsonContent(ref(schemaName(name, 'Answer'))) },
      ...errorResponses(),
    },
  }
  return { [method.toLowerCase()]: operation }
}

const membersSchema = (members: Readonly<Record<string, string>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, says]) => [
      name,
      { type: name === 'return_url_query_params' ? 'object' : 'string', description: `${plainText(says)}.` },
    ]),
  ),
  required: ['result'],
})

const webhook: Schema = {
  post: {
    operationId: 'callback-payment',
    summary: 'Callback',
    description:
      'A form, or JSON where the operator sets it. Sent again by the retry plan until the answer is 2xx. `hash` is `sha1(md5(up( id . order_number . order_amount . order_currency . order_description . PASSWORD )))`.',
    tags: [serverTag],
    parameters: callbackHeaders,
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema: ref('PaymentCallback') },
        'application/json': { schema: ref('PaymentCallback') },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledged.' },
      '4XX': { description: 'Not acknowledged; sent again.' },
    },
  },
}

const errorSchema: Schema = {
  type: 'object',
  properties: {
    http_code: { type: 'integer' },
    error_code: { type: 'integer', description: '0 for a violation of a member, an unknown key and a wrong hash.' },
    error_message: { type: 'string' },
    errors: errorRows,
    request_id: { type: 'string', description: 'Of an error of the service: quote it to support.' },
  },
  required: ['http_code', 'error_code', 'error_message', 'errors'],
}
