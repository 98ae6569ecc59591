/**
 * While the instance is in recovery only its operator gets in. Also look-ups are refused: a merchant that is told "not found" about a
 * payment of the lost part would charge the payer again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import type { Recovery } from '../../ports.ts'
import { errorBody } from './error-body.ts'

const operatorsPaths = /^\/(?:admin|service|metrics|web)(?:[/?]|$)/
const retryAfterSeconds = '60'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Payments are paused</title><p>Payments are paused for a short time. Nothing was charged. Please try again later.</p></html>`

export const recoveryGate =
  (recovery: Recovery) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (!recovery.active || operatorsPaths.test(request.url)) return undefined
    void reply.code(503).header('retry-after', retryAfterSeconds).header('cache-control', 'no-store')
    if (request.method === 'GET' && request.headers.accept?.includes('text/html')) {
      return reply.type('text/html; charset=utf-8').send(page)
    }
    const body = errorBody({ refusal: errors.temporarilyUnavailable, violations: [] })
    return reply.header('content-type', 'application/json').send(body)
  }
