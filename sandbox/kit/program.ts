/**
 * Runs services of the sandbox as one program.
 *
 * When ready it prints one line of JSON with its address, and sends it to its parent process if there is one. It ends on SIGTERM or SIGINT,
 * and with its parent.
 */
import type { Server } from 'node:http'
import { datedRoutes, type Routes } from './routes.ts'
import { createSandboxServer } from './server.ts'

export interface SandboxService {
  readonly routes: Routes
  /** Of a service with its own clock, by which its answers are then dated; otherwise they have the machine's time. */
  readonly now?: () => Date
  close(): Promise<void>
}

/** Running services of the sandbox. */
interface RunningSandbox {
  readonly url: string
  /** Finishes the requests in progress and stores what was answered. */
  stop(): Promise<void>
}

const STOPS_WITHIN_MS = 1_500
const loopback = '127.0.0.1'

type Facts = Readonly<Record<string, unknown>>

/** Another address of this machine, at which only some routes are served. */
interface Front {
  readonly host: string
  readonly serves: (route: Routes[number]) => boolean
}

interface ProgramOptions {
  /** Announced together with the address. */
  readonly facts?: (url: string) => Facts
  readonly front?: Front | null
  /** Address to listen on; the loopback address by default. */
  readonly host?: string | undefined
}

/** `port` 0 takes any free one. */
export async function run(
  services: readonly SandboxService[],
  port: number,
  { facts = () => ({}), front = null, host = loopback }: ProgramOptions = {},
): Promise<void> {
  const running = await startServices(services, port, fail, { front, host })
  const end = (): void => {
    running.stop().then(() => process.exit(0), fail)
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.once('disconnect', end)

  const ready = { ready: true, url: running.url, ...facts(running.url) }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  process.send?.(ready)
}

/** Runs the services inside another process; `onFault` is called for errors after which they cannot continue. */
export async function startServices(
  services: readonly SandboxService[],
  port: number,
  onFault: (fault: unknown) => void,
  { front = null, host = loopback }: Pick<ProgramOptions, 'front' | 'host'> = {},
): Promise<RunningSandbox> {
  const tables = services.map(({ routes, now }) => (now ? datedRoutes(routes, now) : routes))
  const server = createSandboxServer(tables, onFault)
  await listen(server, port, host)
  const url = addressOf(server)
  const shown = front && createSandboxServer([tables.flat().filter(front.serves)], onFault)
  if (shown) await listen(shown, Number(new URL(url).port), front.host)
  return {
    url,
    stop: async () => {
      await Promise.all([server, ...(shown ? [shown] : [])].map(closeServer))
      await Promise.all(services.map((service) => service.close()))
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), STOPS_WITHIN_MS)
    server.close(() => {
      clearTimeout(deadline)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

/** Answers must not be sent without being stored, so the program ends. */
function fail(fault: unknown): void {
  process.stderr.write(`The sandbox stopped: ${fault instanceof Error ? fault.message : String(fault)}\n`)
  process.exit(1)
}
