/** Whether a request comes from a program on this machine, and not through a proxy, nor from a page that some site gave a browser here. */
import type { FastifyRequest } from 'fastify'

export function isLocal({ headers, socket, hostname }: FastifyRequest): boolean {
  const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined)
  const own = headers.origin === undefined || URL.parse(headers.origin)?.hostname === hostname
  return isLoopback(socket.remoteAddress ?? '') && localNames.includes(hostname) && own && !forwarded
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/** A name that only leads here, such as one a site had resolved to this machine, is not among them. */
const localNames = ['localhost', '127.0.0.1', '[::1]', '::1']

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
