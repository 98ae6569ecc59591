/**
 * One log line and one count for every request that the HTTP app answered, or abandoned because the connection was gone.
 *
 * Protocols describe a request with `noteRequest`: protocol, action and result from fixed lists, so that they can be metric labels. Of the
 * request itself only the method and the route's pattern are written, because a path may contain a token, and a query string a whole
 * SCHEDULE_INFO (Chapter 10 §1.1).
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ids } from '#server/contracts/ports.ts'
import { writeLine } from './log.ts'
import { maskSecrets } from './mask.ts'
import type { Metrics } from './metrics.ts'
import { type EndedRequest, levelOf, type RequestNotes, requestFields } from './request-line.ts'
import type { OpenSpan } from './tracing/tracer.ts'
import type { Tracing } from './tracing/tracing.ts'

interface Observation {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly ids: Ids
  /** Null if there are no traces. */
  readonly tracing?: Pick<Tracing, 'request'> | null
}

/** Call it once on the app itself, before its routes, and not inside a plugin: a plugin's hooks end with it. */
export function observeRequests(app: FastifyInstance, { log, metrics, ids, tracing = null }: Observation): void {
  app.setGenReqId((request) => requestIdOf(request.headers['x-request-id']) ?? ids.next())

  const close = (request: FastifyRequest, aborted: boolean): void => {
    const observed = requestsInProgress.get(request)
    if (!observed || !requestsInProgress.delete(request)) return
    const { reply, notes, span } = observed
    const end = { request, reply, notes, aborted }
    writeLine(log, levelOf(end), requestFields(end), 'request')
    count(metrics, end)
    if (span) endSpan(span, end)
  }

  app.addHook('onRequest', (request, reply, done) => {
    const span = tracing?.request(request) ?? null
    requestsInProgress.set(request, { reply, notes: {}, span })
    reply.header('x-request-id', request.id)
    // Emitted after every request; before `onResponse` only if the connection closed on an unfinished answer.
    reply.raw.once('close', () => close(request, true))
    done()
  })
  if (tracing)
    // Here and not above: the events of the body, which is read in between, do not carry the context.
    app.addHook('preHandler', (request, _reply, done) => {
      const span = requestsInProgress.get(request)?.span
      if (span) span.enter(done)
      else done()
    })
  app.addHook('onResponse', (request, _reply, done) => {
    close(request, false)
    done()
  })
}

/** Adds to what is known about a request. Without `observeRequests` on the app it does nothing. */
export function noteRequest(request: FastifyRequest, notes: RequestNotes): void {
  const observed = requestsInProgress.get(request)
  if (observed) Object.assign(observed.notes, notes)
}

/** Another app answers the request, and observes it. */
export const passOn = (request: FastifyRequest): void => void requestsInProgress.delete(request)

interface OpenRequest {
  readonly reply: FastifyReply
  /** Null if the request is not sampled. */
  readonly span: OpenSpan | null
  /** Added to while the request is worked on. */
  readonly notes: RequestNotes
}

/** Requests that are not answered yet. */
const requestsInProgress = new WeakMap<FastifyRequest, OpenRequest>()

function count(metrics: Metrics, { reply, notes, aborted }: EndedRequest): void {
  metrics.request({
    protocol: notes.protocol ?? 'none',
    action: notes.action ?? 'none',
    result: aborted ? 'aborted' : (notes.result ?? `${Math.floor(reply.statusCode / 100)}xx`),
    seconds: reply.elapsedTime / 1000,
  })
}

function endSpan(span: OpenSpan, { request, reply, notes, aborted }: EndedRequest): void {
  const { protocol = 'none', action = 'none', result = 'none', transId } = notes
  const status = aborted ? 0 : reply.statusCode
  const attributes = {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url ?? 'none',
    'http.response.status_code': status,
    'gatehouse.protocol': protocol,
    'gatehouse.action': action,
    'gatehouse.outcome': result,
    ...(transId === undefined ? {} : { 'gatehouse.payment_id': transId }),
  }
  span.end(attributes, aborted || status >= 500)
}

/** The caller's request id, if it is short, plain and nothing that the log would mask. */
function requestIdOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || !/^[\w.-]{1,64}$/.test(header)) return null
  const field = `"requestId":"${header}"`
  return maskSecrets(field) === field ? header : null
}
