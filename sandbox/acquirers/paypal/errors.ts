/** PayPal's error answers. */
import type { Reply } from '../../kit/reply.ts'

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'NOT_AUTHORIZED',
  404: 'RESOURCE_NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  422: 'UNPROCESSABLE_ENTITY',
}

export const refusal = (status: 400 | 403 | 404 | 409 | 422, issue: string, description?: string): Reply => ({
  status,
  body: {
    name: names[status],
    details: [{ issue, ...(description !== undefined && { description }) }],
    message: 'The request was not executed.',
    debug_id: '0',
  },
})

export const notFound = refusal(404, 'INVALID_RESOURCE_ID')

export const noToken: Reply = {
  status: 401,
  body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
}

export const noClient: Reply = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
}
