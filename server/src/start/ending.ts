/** What a process has started, and how it ends: on SIGTERM and SIGINT running work is finished, then everything is stopped in reverse order. */
import type { FastifyInstance } from 'fastify'
import type { Log } from '../contracts/ports.ts'
import { drain, type EndReason } from '../process/drain.ts'

/** Supervisors send SIGKILL after ten seconds. */
const stopWithinMs = 9_500

const stops: (() => Promise<void>)[] = []

/** The last one added is the first to be stopped. */
export function stopLater(stop: () => Promise<void>): void {
  stops.push(stop)
}

/** The service before what it uses. */
export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => process.stderr.write(`While stopping: ${String(error)}\n`))
  }
}

export interface Draining {
  /** The app whose requests are finished first. */
  follow(app: FastifyInstance): void
  /** Ends this process as the signal of that name would. */
  begin(reason: EndReason): void
}

/** Installed from the first moment, so that an interrupted start leaves nothing running. A wrapper may forward a signal twice. */
export function drainOnSignal(log: Log): Draining {
  let app: FastifyInstance | null = null
  let stopping = false
  const begin = (reason: EndReason): void => {
    if (stopping) return
    stopping = true
    log.info({ signal: reason }, 'Draining.')
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    void (app ? drain(app, reason) : Promise.resolve()).then(stopAll).then(() => process.exit(0))
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
  return {
    begin,
    follow: (served) => {
      app = served
    },
  }
}
