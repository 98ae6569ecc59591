/**
 * Whether a request comes from a program on this machine, neither through a proxy nor from a website's page in a browser on this machine.
 */
import type { FastifyRequest } from 'fastify'

export function isLocal({ headers, socket, hostname, host }: FastifyRequest): boolean {
  const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined)
  const own = headers.origin === undefined || URL.parse(headers.origin)?.host === host
  return isLoopback(socket.remoteAddress ?? '') && localNames.includes(hostname) && own && !forwarded
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip'] as const

/** Names that merely resolve to this machine, which an attacker's site can arrange, are not included. */
const localNames = ['localhost', '127.0.0.1', '[::1]', '::1']

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)
