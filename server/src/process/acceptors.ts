/**
 * Several sockets that listen on one port for one server.
 *
 * Node accepts one connection per listening socket and tick of the event loop. A tick of a busy instance takes some 20 ms, so 500
 * simultaneous callers would be accepted over ten seconds, and a caller behind them would wait as long although the gate would admit its
 * request at once. With more sockets the system distributes the callers, and as many are accepted per tick.
 */
import { once } from 'node:events'
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { limits } from '#domain/limits.ts'

/** With eight, a caller among 500 new ones still waited up to two seconds for its connection; see decisions/overload#admission-control. */
const count = 32

/** How long a caller that has just connected has to send the first byte of its request when the sockets close. */
const freshMs = 250

/** A process that is too busy for a short turn closes all the same. */
const readWithinMs = 1_000
const shortTurnMs = 1

export interface Acceptors {
  /** Stops accepting. Callers who have just connected get a moment to send their request. */
  shut(): Promise<void>
  /** Stops accepting, and resolves when every connection accepted here has ended; the app closes idle ones. */
  close(): Promise<void>
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

interface PortClaim {
  close(): Promise<void>
}

interface AcceptOptions {
  readonly firstByteMs?: number | undefined
  /** Descriptors of one socket that listens already; another process opened it. */
  readonly inherited?: readonly number[]
}

type SocketPlace = ListenOptions | { readonly fd: number | undefined; readonly backlog: number }

const noClaim: PortClaim = { close: async () => undefined }

/** Listens with the server of `app` and, if the system supports it, with further sockets on the same port. */
export async function accept(
  app: FastifyInstance,
  place: ListenAddress,
  { firstByteMs = limits.overload.firstByteMs, inherited = [] }: AcceptOptions = {},
): Promise<Acceptors> {
  const most = app.server.maxConnections
  const options = { ...place, backlog: most }
  const callers = watchCallers(app.server, firstByteMs)
  if (!sharesPorts) {
    await app.listen(options)
    return { shut: async () => undefined, close: async () => callers.endSilent() }
  }
  const claim = inherited.length > 0 ? noClaim : await claimPort(place)
  const more =
    inherited.length > 0 ? await listenInherited(app, inherited, most) : await listenShared(app, options, claim)
  const acceptors = more.map(() => createServer({ noDelay: true }))
  shareBound(app.server, acceptors, most)
  for (const [index, at] of more.entries()) {
    const acceptor = acceptors[index]
    if (acceptor) await listen(acceptor, at)
  }
  // The app does not wait for the requests of a server that was closed before, so they are waited for here.
  let closed: Promise<unknown> | null = null
  const closeSockets = (): Promise<unknown> => {
    closed ??= Promise.all([...[app.server, ...acceptors].map(closeServer), claim.close()])
    return closed
  }
  return {
    shut: async () => {
      await readArrived()
      void closeSockets()
      await callers.waitForFirstBytes()
    },
    close: async () => {
      callers.endSilent()
      await closeSockets()
    },
  }
}

/**
 * Closing ends idle connections, and would reset a request that has arrived on one and was not read: timers run before sockets are read, and during a
 * long turn of the event loop more arrive. It is therefore done right after a short turn that has looked at every socket.
 */
async function readArrived(): Promise<void> {
  const limit = performance.now() + readWithinMs
  // The first turn may have looked at the sockets before a request arrived.
  await afterReading()
  for (;;) {
    const began = performance.now()
    await afterReading()
    const ended = performance.now()
    if (ended - began < shortTurnMs || ended > limit) return
  }
}

/** Returns where the further sockets listen. */
async function listenShared(
  app: FastifyInstance,
  options: ListenAddress & { readonly backlog: number },
  claim: PortClaim,
): Promise<readonly SocketPlace[]> {
  const shared = { ...options, reusePort: true }
  try {
    await app.listen(shared)
  } catch (error) {
    await claim.close()
    throw error
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return Array.from({ length: count - 1 }, () => ({ ...shared, port }))
}

async function listenInherited(
  app: FastifyInstance,
  [first, ...others]: readonly number[],
  backlog: number,
): Promise<readonly SocketPlace[]> {
  await app.ready()
  await listen(app.server, { fd: first, backlog })
  return others.map((fd) => ({ fd, backlog }))
}

interface Callers {
  /** Resolves when every caller has sent something, or had time for it. */
  waitForFirstBytes(): Promise<void>
  endSilent(): void
}

/**
 * Browsers open connections ahead of requests that may never come, and attackers open them to use up the limit. The server's own timeouts
 * begin with the first byte, so such connections are ended after `firstByteMs`. The server treats them as busy and would wait for them
 * when it closes; `endSilent` ends them at once.
 */
function watchCallers(server: Server, firstByteMs: number): Callers {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    const timer = setTimeout(() => endIfSilent(socket), firstByteMs).unref()
    open.add(socket)
    socket.once('close', () => {
      clearTimeout(timer)
      open.delete(socket)
    })
  })
  return {
    waitForFirstBytes: async () => {
      const limit = performance.now() + freshMs
      while ([...open].some(({ bytesRead }) => bytesRead === 0) && performance.now() < limit) await sleep(10)
    },
    endSilent: () => {
      for (const socket of open) endIfSilent(socket)
    },
  }
}

function endIfSilent(socket: Socket): void {
  if (socket.bytesRead === 0) socket.destroy()
}

/** Only Linux distributes the callers of a port over its sockets. Other systems refuse the option or give all callers to one socket. */
const sharesPorts = process.platform === 'linux'

/**
 * A shareable port could be shared with another instance too, and payments would reach either of them. An instance therefore claims its
 * port by a name that the system gives to one process only, and then checks whether another program listens there.
 */
async function claimPort(place: ListenAddress): Promise<PortClaim> {
  if (place.port === 0) return noClaim
  const claim = createServer()
  await listen(claim, { path: `\0gatehouse-${place.host}-${place.port}` })
  const close = (): Promise<void> => closeServer(claim)
  const probe = createServer()
  try {
    await listen(probe, place)
    await closeServer(probe)
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

async function listen(server: Server, options: SocketPlace): Promise<void> {
  // With a descriptor the platform reads the backlog only here. Without it, the queue of the shared socket would shrink to 511 callers.
  server.listen(options, options.backlog)
  await once(server, 'listening')
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** The limit applies to the connections of all sockets together; a single socket would count only its own. */
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
