/** JSON over HTTP for Checkout: its own body reader, its own error body, and 405 for methods that an address does not accept. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { noteRequest } from '../../observe/requests.ts'
import { forbidCaching, noteFailure, refusedBy } from '../kit/form-routes.ts'
import type { Reply } from '../kit/reply.ts'
import { checkoutErrorBody } from './error-body.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]

/** To be called once in a plugin of its own, before its routes. */
export function speakJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.request.bodyBytes }, (_, body, done) =>
    done(null, body),
  )
  app.setErrorHandler(refuse)
  forbidCaching(app)
}

/** One address and its one method; every other method gets 405 with the right one. */
export function jsonRoute(
  app: FastifyInstance,
  method: Method,
  url: string,
  serve: (request: FastifyRequest, reply: FastifyReply) => Promise<Reply>,
): void {
  app.route({
    method,
    url,
    handler: async (request, reply) => send(reply, await serve(request, reply)),
  })
  app.route({
    // The framework adds HEAD to each GET route itself.
    method: methods.filter((other) => other !== method && (method !== 'GET' || other !== 'HEAD')),
    url,
    handler: (_, reply) => {
      reply.header('allow', method)
      throw new RefusedError(errors.methodNotAllowed)
    },
  })
}

const send = (
  reply: FastifyReply,
  { http, body, type = 'application/json' }: Pick<Reply, 'http' | 'body' | 'type'>,
): FastifyReply => reply.code(http).header('content-type', type).send(body)

function refuse(error: FastifyError | RefusedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = refusedBy(error)
  noteFailure(request, refused, error)
  noteRequest(request, { protocol: 'checkout', result: 'ERROR' })
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds))
  return send(reply, { http: refused.refusal.http, body: checkoutErrorBody(refused, request.id) })
}
