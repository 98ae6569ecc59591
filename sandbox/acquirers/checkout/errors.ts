/** Refusals as Checkout.com writes them. */
import { randomUUID } from 'node:crypto'
import type { Reply } from '../../kit/reply.ts'

/** Every answer of the API has an id, by which support finds it. */
export const withRequestId = (reply: Reply): Reply => ({
  ...reply,
  headers: { 'cko-request-id': randomUUID(), 'cko-version': '3.0.0', ...reply.headers },
})

export const invalid = (...codes: readonly string[]): Reply => ({
  status: 422,
  body: { request_id: randomUUID(), error_type: 'request_invalid', error_codes: codes },
})

/** These have no body. */
export const unauthorizedReply: Reply = { status: 401, body: undefined }
export const notAllowed: Reply = { status: 403, body: undefined }
export const notFound: Reply = { status: 404, body: undefined }
