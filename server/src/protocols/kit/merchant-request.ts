/** A merchant's request, taken from HTTP. */
import type { FastifyRequest } from 'fastify'
import { callerAddress, type IpList } from '../../network/ip-list.ts'
import type { MerchantRequest, SentSignature } from './dialect.ts'

/** `path` is the route's pattern, independent of the spelling of the address. */
export function merchantRequest(request: FastifyRequest, path: string, trustedProxies: IpList): MerchantRequest {
  const address = callerAddress(request.raw, trustedProxies)
  const signature = sentSignature(request, path, address)
  if (request.method !== 'POST')
    return { ...queryRequest, body: queryOf(request), address, path, requestId: request.id, signature }
  const key = request.headers['idempotency-key']
  return {
    method: 'POST',
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    contentType: request.headers['content-type'],
    address,
    path,
    requestId: request.id,
    idempotencyKey: Array.isArray(key) ? key[0] : key,
    signature,
  }
}

const queryRequest = { method: 'GET', contentType: undefined, idempotencyKey: undefined } as const

/** The raw query string, which is a urlencoded form. */
function queryOf({ url }: FastifyRequest): Buffer {
  const mark = url.indexOf('?')
  return Buffer.from(mark === -1 ? '' : url.slice(mark + 1), 'latin1')
}

/** `path` is the route's pattern, and the query is as sent. */
export function sentSignature(request: FastifyRequest, path: string, address: string): SentSignature {
  const { method, url, body } = request
  const header = (name: string): string => [request.headers[name]].flat()[0] ?? ''
  const mark = url.indexOf('?')
  return {
    method,
    target: mark === -1 ? path : `${path}${url.slice(mark)}`,
    token: header('token'),
    idempotencyKey: header('idempotency-key'),
    body: Buffer.isBuffer(body) ? body : '',
    headers: {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    },
    address,
  }
}
