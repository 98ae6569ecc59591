/** A form protocol as HTTP routes: its own body reader and its own error body, closed off from the other protocols. */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { IpList } from '../../network/ip-list.ts'
import { noteRequest } from '../../observe/requests.ts'
import type { Kit } from './dialect.ts'
import { errorBody } from './error-body.ts'
import { actionAmong, formDialect, type ProtocolActions } from './form-dialect.ts'
import { merchantRequest } from './merchant-request.ts'
import { countOpenRequests } from './open-requests.ts'
import { label, serve } from './serve.ts'

export type FormService = Kit & { readonly trustedProxies: IpList }

/** By address; of two offers with the same action the first one is preferred. */
export type FormAddresses = Readonly<Record<string, readonly ProtocolActions[]>>

export function formRoutes(app: FastifyInstance, addresses: FormAddresses, service: FormService): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.request.bodyBytes }, (_, body, done) =>
    done(null, body),
  )
  app.setErrorHandler(answerRefused)
  countOpenRequests(app, service.gate)
  forbidCaching(app)

  const dialect = formDialect(service.configuration)
  for (const [url, offers] of Object.entries(addresses)) {
    const resolveAction = actionAmong(offers)
    const [main] = offers
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      // Noted first, so that metrics count unreadable requests and unknown actions under the protocol of the address.
      if (main) noteRequest(request, { protocol: label[main.protocol] })
      const sent = merchantRequest(request, url, service.trustedProxies)
      const served = await serve({ kit: service, dialect, resolveAction }, sent, (notes) => noteRequest(request, notes))
      return reply.code(served.http).header('content-type', 'application/json').send(served.body)
    }
    app.route({ method: ['POST', 'GET'], url, handler })
    app.route({ method: otherMethods, url, handler: wrongMethod })
  }
}

/** Answers contain payment data, and a proxy might cache those to a GET. */
export const forbidCaching = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('cache-control', 'no-store')
  })
}

const otherMethods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Any other method gets the answer for an unknown action. Chapter 10 §1.1. */
function wrongMethod(): never {
  throw new RefusedError(errors.routeNotSupported)
}

export function answerRefused(
  error: FastifyError | RefusedError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refused = refusedBy(error)
  noteFailure(request, refused, error)
  noteRequest(request, { result: 'ERROR' })
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds))
  return reply.code(refused.refusal.http).header('content-type', 'application/json').send(errorBody(refused))
}

/** Translates an error of the framework into a refusal of the catalogue. */
export function refusedBy(error: FastifyError | RefusedError): RefusedError {
  if (error instanceof RefusedError) return error
  const status = error.statusCode ?? 500
  if (status === 413) return new RefusedError(errors.requestTooLarge)
  return new RefusedError(status >= 400 && status < 500 ? errors.requestInvalid : errors.internalError)
}

/** Overload refusals are not logged: they are no faults, and a line for each would add to the load. */
export function noteFailure(request: FastifyRequest, { refusal }: RefusedError, error: unknown): void {
  if (refusal === errors.overloaded) noteRequest(request, { isShed: true })
  else if (refusal.http >= 500) request.log.error({ err: error }, 'A request failed.')
}
