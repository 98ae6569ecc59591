/**
 * What every request must say about the host it means, before any protocol looks at it. With two Host headers a proxy and this service
 * may each believe another one. On the hosts of merchants' forms nothing is served but what forms need.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { errors, type Refusal } from '#domain/errors.ts'
import { errorBody } from './error-body.ts'
import { isFormHost, isServedToForms } from './form-host.ts'

export function guardHosts(app: FastifyInstance, formsDomain: string | null): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hostsNamed(request.raw.rawHeaders) > 1) return refuse(reply, 400, errors.requestInvalid)
    if (isFormHost(request, formsDomain) && !isServedToForms(request.url))
      return refuse(reply, 404, errors.routeNotSupported)
  })
}

/** Names and values in turn, as they came: the platform keeps one of two equal names only. */
const hostsNamed = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length

const refuse = (reply: FastifyReply, status: number, refusal: Refusal): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': 'application/json', connection: 'close', 'cache-control': 'no-store' })
    .send(errorBody({ refusal, violations: [] }))
