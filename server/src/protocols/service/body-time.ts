/**
 * How long the body of a request may take to arrive. Node has one time for all routes, and a file that is imported while it arrives takes as long as its
 * import (decisions/imports#uploads). So Node limits the time of the headers, and this the time of the body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuseConnection } from './connection-errors.ts'

export const bodyMs = 60_000

interface ArrivingBody {
  readonly limitMs: number
  timer: NodeJS.Timeout | null
}

/** A request that another app answers keeps its time. */
const arrivingBodies = new WeakMap<IncomingMessage, ArrivingBody>()

export function limitBodies(app: FastifyInstance, limitMs: number): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    limitBody(raw, limitMs)
    done()
  })
}

/** For requests that reach no hook. A request that comes through no connection has its body with it. */
export function limitBody(request: IncomingMessage, limitMs: number): void {
  if (arrivingBodies.has(request) || !announcesBody(request) || !(request.socket instanceof Socket)) return
  const body: ArrivingBody = { limitMs, timer: null }
  arrivingBodies.set(request, body)
  start(request, body)
  request.once('close', () => stop(body))
}

/**
 * Only for a route that limits the silence of its sender itself. Without the rest of its body an answered request holds nothing but its connection, which
 * then has the usual time.
 */
export function letBodyTakeTime(request: IncomingMessage, answer: ServerResponse): void {
  const body = arrivingBodies.get(request)
  if (body === undefined) return
  stop(body)
  // While the import waits, nothing is read and nothing is sent. Node sets the time of an idle connection after the answer.
  request.socket.setTimeout(0)
  answer.once('finish', () => start(request, body))
}

function start(request: IncomingMessage, body: ArrivingBody): void {
  if (request.complete) return
  body.timer = setTimeout(() => {
    if (!request.complete) refuseConnection(tooSlow(), request.socket)
  }, body.limitMs).unref()
}

function stop(body: ArrivingBody): void {
  if (body.timer !== null) clearTimeout(body.timer)
}

const tooSlow = (): Error & { readonly code: string } =>
  Object.assign(new Error('The body did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
