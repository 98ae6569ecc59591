/**
 * The line of a request, written as text. It is the one line that every request costs, so it is not built as an object that is filtered,
 * copied and serialised. Its fields are these alone; all of them are listed in `log-fields.ts`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shorten } from './log-fields.ts'

export interface RequestNotes {
  readonly protocol?: string
  /** The action's name once it is known to exist, never as sent. */
  readonly action?: string
  readonly result?: string
  readonly merchantId?: string
  readonly transId?: string
  /** Refused because the instance is busy; many such requests share one line. */
  readonly isShed?: boolean
}

export interface EndedRequest {
  readonly request: Pick<FastifyRequest, 'method' | 'id' | 'routeOptions'>
  readonly reply: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>
  readonly notes: RequestNotes
  readonly aborted: boolean
}

/** Fields of a JSON object, each after a comma. */
export function requestFields({ request, reply, notes, aborted }: EndedRequest): string {
  const { protocol, action, merchantId, transId, result } = notes
  return (
    field('method', request.method) +
    field('route', request.routeOptions.url ?? 'none') +
    (aborted ? ',"aborted":true' : `,"status":${reply.statusCode}`) +
    `,"ms":${Math.round(reply.elapsedTime * 1000) / 1000}` +
    field('requestId', request.id) +
    field('protocol', protocol) +
    field('action', action) +
    field('merchantId', merchantId) +
    field('transId', transId) +
    field('result', result)
  )
}

const longestText = 500

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(shorten(value, longestText))}`

/** Answered requests are information, also refused ones; only our own faults are errors. */
export function levelOf({ reply, notes }: EndedRequest): 'debug' | 'info' | 'error' {
  if (notes.isShed) return 'debug'
  return reply.statusCode >= 500 ? 'error' : 'info'
}
