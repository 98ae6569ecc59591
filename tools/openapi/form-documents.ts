/** The OpenAPI documents of S2S CARD and S2S APM: one address, one schema per action and per callback. */
import { errors } from '#domain/errors.ts'
import type { Action } from '#server/protocols/kit/action.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { actionErrors, type ErrorName } from '../docs/answers/action-errors.ts'
import type { ActionColumns } from '../docs/answers/answers.ts'
import { apmColumns } from '../docs/answers/apm-answers.ts'
import { apmErrors } from '../docs/answers/apm-errors.ts'
import { cardColumns } from '../docs/answers/card-answers.ts'
import { errorNotes } from '../docs/answers/error-notes.ts'
import { answerSchema } from './answer-schemas.ts'
import {
  callbackHeaders,
  errorResponses,
  errorRows,
  jsonContent,
  openApiDocument,
  ref,
  requestHeaders,
} from './document.ts'
import { formulasOf, formulaText } from './formula-text.ts'
import { objectSchema, type Schema } from './value-schemas.ts'

interface FormProtocol {
  readonly prefix: 'card' | 'apm'
  readonly title: string
  readonly about: string
  readonly paths: readonly string[]
  readonly actions: readonly Action[]
  readonly columns: readonly ActionColumns[]
  readonly errors: ReadonlyMap<string, readonly ErrorName[]>
}

export const cardDocument = (): Schema =>
  formDocument({
    prefix: 'card',
    title: 'S2S CARD',
    about:
      'Card payments from server to server. `/v2/post` differs from `/post` only in the form of `redirect_params`.',
    paths: ['/post', '/v2/post'],
    actions: cardActions,
    columns: cardColumns,
    errors: actionErrors,
  })

export const apmDocument = (): Schema =>
  formDocument({
    prefix: 'apm',
    title: 'S2S APM',
    about: 'Alternative payment methods and device wallets from server to server.',
    paths: ['/post-va'],
    actions: apmActions,
    columns: apmColumns,
    errors: apmErrors,
  })

function formDocument(protocol: FormProtocol): Schema {
  const { title, about, paths, actions, columns } = protocol
  const answering = columns.filter(({ answer }) => answer.length > 0)
  const calling = columns.filter(({ callback }) => callback.length > 0)
  return openApiDocument({
    title: `Gatehouse ${title}`,
    description: `${about} A request is a form with \`action\`; the answer is JSON. HTTP is 200 for every outcome, also a decline; everything else is an error without effect, except that after a 5xx the outcome is unknown.`,
    tags: [{ name: title, description: about }],
    paths: Object.fromEntries(paths.map((path) => [path, { post: operationAt(path, protocol) }])),
    webhooks: Object.fromEntries(calling.map(({ action }) => [action, webhookOf(action, title)])),
    schemas: {
      ...Object.fromEntries(
        actions.map((action) => [schemaName(nameOf(action), 'Request'), requestSchema(protocol, action)]),
      ),
      ...Object.fromEntries(
        answering.map(({ action, answer }) => [schemaName(action, 'Answer'), answerSchema(answer)]),
      ),
      ...Object.fromEntries(
        calling.map(({ action, callback }) => [schemaName(action, 'Callback'), answerSchema(callback)]),
      ),
    },
    error: errorSchema,
  })
}

function operationAt(path: string, { prefix, title, actions, columns }: FormProtocol): Schema {
  const names = actions.map(nameOf)
  const requests = names.map((name) => ref(schemaName(name, 'Request')))
  const mapping = actions.flatMap((action) =>
    action.names.map((name) => [name, `#/components/schemas/${schemaName(nameOf(action), 'Request')}`]),
  )
  return {
    operationId: path === '/v2/post' ? `${prefix}PostV2` : `${prefix}Post`,
    summary: `Any action of ${title}`,
    tags: [title],
    parameters: requestHeaders,
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { oneOf: requests, discriminator: { propertyName: 'action', mapping: Object.fromEntries(mapping) } },
          encoding: Object.fromEntries(
            nestedNames(actions).map((name) => [name, { style: 'deepObject', explode: true }]),
          ),
        },
      },
    },
    responses: {
      200: {
        description: 'The outcome.',
        content: jsonContent({
          anyOf: columns.flatMap(({ action, answer }) =>
            answer.length > 0 ? [ref(schemaName(action, 'Answer'))] : [],
          ),
        }),
      },
      ...errorResponses(),
    },
  }
}

/** Objects are sent with bracket names. */
const nestedNames = (actions: readonly Action[]): readonly string[] => [
  ...new Set(
    actions.flatMap(({ params }) =>
      Object.entries(params).flatMap(([name, { words }]) =>
        words.parts || words.schema?.['type'] === 'object' ? [name] : [],
      ),
    ),
  ),
]

function requestSchema({ prefix, errors: refused }: FormProtocol, action: Action): Schema {
  const [name = ''] = action.names
  const schema = objectSchema(action.params, { action: { type: 'string', enum: action.names } })
  const formulas = formulasOf(prefix, name).map((formula) => `- ${formulaText(formula)}`)
  const rows = (refused.get(name) ?? []).map(
    (one) => `- \`${errors[one].code}\` ${errors[one].message}: ${errorNotes[one]}`,
  )
  return {
    title: name,
    ...schema,
    description: [
      ...(action.byGet ? ['Also answered to GET, with the parameters in the query string.'] : []),
      ['`hash`:', ...formulas].join('\n'),
      ...(rows.length > 0 ? [['Errors of this action:', ...rows].join('\n')] : []),
    ].join('\n\n'),
  }
}

const nameOf = ({ names: [name = ''] }: Action): string => name

/** `GetTransStatusRequest` for GET_TRANS_STATUS. */
export const schemaName = (action: string, what: 'Request' | 'Answer' | 'Callback'): string =>
  action
    .toLowerCase()
    .split(/[_-]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('') + what

const webhookOf = (action: string, title: string): Schema => ({
  post: {
    operationId: `callback-${action.toLowerCase()}`,
    summary: `Callback of ${action}`,
    description: 'Sent again by the retry plan until the answer is 2xx and its body begins with `OK`.',
    tags: [title],
    parameters: callbackHeaders,
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: ref(schemaName(action, 'Callback')) } },
    },
    responses: {
      200: { description: 'Acknowledged.', content: { 'text/plain': { schema: { type: 'string', pattern: '^OK' } } } },
      '4XX': { description: 'Not acknowledged; sent again.' },
    },
  },
})

const errorSchema: Schema = {
  type: 'object',
  properties: {
    result: { type: 'string', const: 'ERROR' },
    error_code: { type: 'integer' },
    error_message: { type: 'string' },
    errors: errorRows,
  },
  required: ['result', 'error_code', 'error_message', 'errors'],
}
