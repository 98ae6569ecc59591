/**
 * A bound on the idle connections of one caller. Each costs a descriptor and a place among `MAX_CONNECTIONS`, and a caller who opens them without sending requests
 * would take both from others. A connection is idle while no complete request of it is being answered: between requests, and while a head or a
 * body is still missing. See decisions/overload#idle-connections.
 *
 * The longest idle one of the same caller is closed, never a connection of others. Trusted proxies are exempt: through them come many callers.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { countedAddress, type IpList, peerAddress } from './ip-list.ts'

interface IdleBound {
  /** Of one address, or of one IPv6 network. */
  readonly most: number
  readonly trusted: IpList
  /** Called with the caller's address for each connection that is closed. */
  readonly onClosed: (address: string) => void
}

interface Connection {
  readonly socket: Socket
  readonly caller: CallerConnections
  /** The newest request that has not been answered. */
  request: IncomingMessage | null
}

interface CallerConnections {
  readonly address: string
  open: number
  /** Longest idle first. Those whose request has become complete are removed when they are met. */
  readonly idle: Set<Connection>
}

export function boundIdleConnections(server: Server, { most, trusted, onClosed }: IdleBound): void {
  const callers = new Map<string, CallerConnections>()
  const connections = new WeakMap<Socket, Connection>()

  const noteIdle = (connection: Connection): void => {
    const { caller } = connection
    caller.idle.delete(connection)
    caller.idle.add(connection)
    for (const longest of caller.idle) {
      if (caller.idle.size <= most) return
      caller.idle.delete(longest)
      if (longest.request?.complete === true) continue
      longest.socket.destroy()
      onClosed(caller.address)
    }
  }

  server.on('connection', (socket: Socket) => {
    const address = peerAddress({ headers: {}, socket })
    if (trusted.includes(address)) return
    const counted = countedAddress(address)
    const caller = callers.get(counted) ?? { address, open: 0, idle: new Set() }
    callers.set(counted, caller)
    caller.open += 1
    const connection: Connection = { socket, caller, request: null }
    connections.set(socket, connection)
    socket.once('close', () => {
      caller.idle.delete(connection)
      caller.open -= 1
      if (caller.open === 0) callers.delete(counted)
    })
    noteIdle(connection)
  })

  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    connection.request = request
    noteIdle(connection)
    response.once('close', () => {
      // Another request may have followed before this one was answered.
      if (connection.request !== request) return
      connection.request = null
      if (!connection.socket.destroyed) noteIdle(connection)
    })
  })
}
