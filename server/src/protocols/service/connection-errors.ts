/**
 * Answers of requests that reach no route: those that Node cannot read or that come too slowly, and addresses that the router cannot
 * decode. They have the error body of the S2S protocols, because their protocol is unknown. Chapter 10 §1.2.
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Refusal, type Violation } from '#domain/errors.ts'
import { errorBody } from '../kit/error-body.ts'

interface ConnectionFault {
  readonly refusal: Refusal
  readonly text: string
}

const byCode: Readonly<Record<string, ConnectionFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    refusal: errors.requestTimeout,
    text: 'The request was not complete in time.',
  },
  HPE_HEADER_OVERFLOW: {
    refusal: errors.headersTooLarge,
    text: 'The headers are too large.',
  },
}

const malformed: ConnectionFault = { refusal: errors.requestInvalid, text: 'This is not a valid HTTP request.' }

const rowOf = (text: string): readonly Violation[] => [{ param: null, text }]

/** The connection is closed after the answer: the rest of what the caller sent cannot be read. */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { refusal, text } = byCode[error.code ?? ''] ?? malformed
  const body = errorBody({ refusal, violations: rowOf(text) })
  if (socket.writable) {
    socket.write(
      [
        `HTTP/1.1 ${refusal.http} ${STATUS_CODES[refusal.http] ?? ''}`,
        'content-type: application/json',
        'cache-control: no-store',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroy()
}

export function refuseAddress(_: Error, __: FastifyRequest, reply: FastifyReply): void {
  const { http } = errors.requestInvalid
  const body = errorBody({ refusal: errors.requestInvalid, violations: rowOf('The address is not valid.') })
  reply.code(http).header('content-type', 'application/json').header('cache-control', 'no-store').send(body)
}
