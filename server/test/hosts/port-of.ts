import type { AddressInfo } from 'node:net'

/** The port of a server that listens; its type allows the path of a socket, and null before it listens. */
export function portOf(server: { address(): string | AddressInfo | null }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port.')
  return address.port
}
