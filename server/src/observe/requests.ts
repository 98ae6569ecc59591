/**
 * One line and one count for every request that the HTTP app has answered, or given up because the connection was gone.
 *
 * The protocols say what a request was about with `noteRequest`: protocol, action and result in words of a fixed list, so that
 * they can be labels of a metric. Of the request itself only the method and the route's pattern are written down; a path may
 * hold a token, a query string a whole SCHEDULE_INFO (Chapter 10 §1.1).
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ids } from '#server/contracts/ports.ts'
import { maskSecrets } from './mask.ts'
import type { Metrics } from './metrics.ts'

export interface RequestNotes {
  readonly protocol?: string
  /** The action's name once it is known to be one, never as sent. */
  readonly action?: string
  readonly result?: string
  readonly merchantId?: string
  readonly transId?: string
  /** Refused because the instance is busy; told by one line for many. */
  readonly isShed?: boolean
}

interface Observation {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly ids: Ids
}

/** To be called once on the app itself, before its routes, and not inside a plugin: hooks of a plugin end with it. */
export function observeRequests(app: FastifyInstance, { log, metrics, ids }: Observation): void {
  app.setGenReqId((request) => requestIdOf(request.headers['x-request-id']) ?? ids.next())

  const close = (request: FastifyRequest, aborted: boolean): void => {
    const observed = open.get(request)
    if (!observed || !open.delete(request)) return
    const end = { ...observed, request, aborted }
    writeLine(log, end)
    count(metrics, end)
  }

  app.addHook('onRequest', (request, reply, done) => {
    open.set(request, { reply, notes: {} })
    reply.header('x-request-id', request.id)
    // Comes after every request; before `onResponse` only when the connection was closed on an unfinished answer.
    reply.raw.once('close', () => close(request, true))
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    close(request, false)
    done()
  })
}

/** Adds to what is known about a request. Without `observeRequests` on the app nobody listens, and nothing happens. */
export function noteRequest(request: FastifyRequest, notes: RequestNotes): void {
  const observed = open.get(request)
  if (observed) observed.notes = { ...observed.notes, ...notes }
}

interface Observed {
  readonly reply: FastifyReply
  notes: RequestNotes
}

/** Requests not yet answered. */
const open = new WeakMap<FastifyRequest, Observed>()

interface Ended extends Observed {
  readonly request: FastifyRequest
  readonly aborted: boolean
}

function writeLine(log: FastifyBaseLogger, { request, reply, notes: { isShed, ...notes }, aborted }: Ended): void {
  const fields = {
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: aborted ? undefined : reply.statusCode,
    aborted: aborted || undefined,
    ms: reply.elapsedTime,
    requestId: request.id,
    ...notes,
  }
  if (isShed) log.debug(fields, 'request')
  else if (reply.statusCode >= 500) log.error(fields, 'request')
  else log.info(fields, 'request')
}

function count(metrics: Metrics, { reply, notes, aborted }: Ended): void {
  metrics.request({
    protocol: notes.protocol ?? 'none',
    action: notes.action ?? 'none',
    result: aborted ? 'aborted' : (notes.result ?? `${Math.floor(reply.statusCode / 100)}xx`),
    seconds: reply.elapsedTime / 1000,
  })
}

/** The caller's own request id, when it is short, plain and nothing that the log would hide. */
function requestIdOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || !/^[\w.-]{1,64}$/.test(header)) return null
  const field = `"requestId":"${header}"`
  return maskSecrets(field) === field ? header : null
}
