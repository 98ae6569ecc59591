/**
 * While the instance is in recovery it serves only its operator. Look-ups are refused too: a merchant that gets "not found" for a lost
 * payment would charge the payer again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import type { Recovery } from '../../contracts/ports.ts'
import type { RefusedError } from '../../contracts/refused-error.ts'

type RefusalFacts = Pick<RefusedError, 'refusal' | 'violations'>

/** The operator's paths, and the files by which wallet providers verify domains: they reveal nothing about payments. */
const openPaths = /^\/(?:admin|service|metrics|web|\.well-known)(?:[/?]|$)/
const retryAfterSeconds = '60'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Payments are paused</title><p>Payments are paused for a short time. Nothing was charged. Please try again later.</p></html>`

/** `bodyFor` returns the error body of the request's protocol. */
export const recoveryGate =
  (recovery: Recovery, bodyFor: (refused: RefusalFacts, request: FastifyRequest) => string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (!recovery.active || openPaths.test(request.url)) return undefined
    void reply.code(503).header('retry-after', retryAfterSeconds).header('cache-control', 'no-store')
    if (request.method === 'GET' && request.headers.accept?.includes('text/html')) {
      return reply.type('text/html; charset=utf-8').send(page)
    }
    const body = bodyFor({ refusal: errors.inRecovery, violations: [] }, request)
    return reply.header('content-type', 'application/json').send(body)
  }
