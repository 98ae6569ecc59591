/**
 * Checks the Host header of every request before any protocol handles it. With two Host headers a proxy and this service may choose
 * different ones, so such a request is refused. The hosts of merchants' forms serve only what forms need.
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

/** The raw list of names and values, because Node's parsed headers keep only one of two equal names. */
const hostsNamed = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length

const refuse = (reply: FastifyReply, status: number, refusal: Refusal): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': 'application/json', connection: 'close', 'cache-control': 'no-store' })
    .send(errorBody({ refusal, violations: [] }))
