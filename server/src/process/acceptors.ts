/**
 * Several sockets that listen on one port for one server.
 *
 * Node accepts one connection per listening socket and turn of the event loop. A turn of a busy instance takes some 20 ms, so that 500
 * callers who connect at once would be accepted over ten seconds, and a caller behind them waits as long although the gate would let its
 * request in at once. With eight sockets the system spreads the callers over them and eight are accepted per turn.
 */
import { once } from 'node:events'
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const count = 8

export interface Acceptors {
  /** Accepts nothing more, and resolves when every connection that was accepted here is over; the app closes those that are idle. */
  close(): Promise<void>
}

export interface Place {
  readonly host: string
  readonly port: number
}

const none: Acceptors = { close: async () => undefined }

/** Listens with the server of `app` and, where the system can, with further sockets on the same port. */
export async function accept(app: FastifyInstance, place: Place): Promise<Acceptors> {
  const most = app.server.maxConnections
  const options = { ...place, backlog: most }
  const endSilent = silentConnections(app.server)
  if (!sharesPorts) {
    await app.listen(options)
    return { close: async () => endSilent() }
  }
  const claim = await claimPort(place)
  const shared = { ...options, reusePort: true }
  try {
    await app.listen(shared)
  } catch (error) {
    await claim.close()
    throw error
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : place.port
  const acceptors = Array.from({ length: count - 1 }, () => createServer({ noDelay: true }))
  shareBound(app.server, acceptors, most)
  for (const acceptor of acceptors) await listen(acceptor, { ...shared, port })
  return {
    close: async () => {
      endSilent()
      await Promise.all([...acceptors.map(closed), claim.close()])
    },
  }
}

/**
 * Browsers open connections ahead of requests that may never come. The server takes such a connection for a busy one and would wait for it;
 * the function that is answered ends them.
 */
function silentConnections(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** The system that spreads the callers of a port over its sockets. Others refuse the option, or give all callers to one socket. */
const sharesPorts = process.platform === 'linux'

/**
 * A port that may be shared would be shared with another instance too, and payments would reach either of them. So an instance claims its
 * port by a name that the system gives to one process alone, and then looks whether another program listens there.
 */
async function claimPort(place: Place): Promise<Acceptors> {
  if (place.port === 0) return none
  const claim = createServer()
  await listen(claim, { path: `\0gatehouse-${place.host}-${place.port}` })
  const close = (): Promise<void> => closed(claim)
  const probe = createServer()
  try {
    await listen(probe, place)
    await closed(probe)
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** The bound counts the connections of all sockets together; a socket alone would only count its own. */
function shareBound(server: Server, acceptors: readonly Server[], most: number): void {
  const servers = [server, ...acceptors]
  const open = new Map(servers.map((one) => [one, 0]))
  let total = 0
  const change = (of: Server, by: 1 | -1): void => {
    total += by
    open.set(of, (open.get(of) ?? 0) + by)
    for (const [one, own] of open) one.maxConnections = most - total + own
  }
  const handedOver = new WeakSet<Socket>()
  const watch = (of: Server, socket: Socket): void => {
    change(of, 1)
    socket.once('close', () => change(of, -1))
  }
  server.on('connection', (socket) => {
    if (!handedOver.has(socket)) watch(server, socket)
  })
  for (const acceptor of acceptors) {
    acceptor.on('connection', (socket) => {
      handedOver.add(socket)
      watch(acceptor, socket)
      server.emit('connection', socket)
    })
    acceptor.on('drop', (dropped) => server.emit('drop', dropped))
  }
}
