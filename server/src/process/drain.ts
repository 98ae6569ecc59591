/**
 * How a serving process ends. Load balancers and merchants keep connections open, and a request may be arriving on any of them; closing at
 * once would make it fail. The process therefore serves for a moment longer: its health reports that it drains, and each answer closes its
 * connection. A load balancer that checks the health sends nothing more by the time the port closes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Why a process ends: a signal, or memory that comes near the limit of its container. */
export type EndReason = NodeJS.Signals | 'memory'

/** A person who presses Ctrl-C does not wait for a load balancer, and memory that grows with each request leaves no time for one. */
const graceMs: Readonly<Partial<Record<EndReason, number>>> = { SIGTERM: 2_000, memory: 250 }

export interface DrainState {
  readonly value: boolean
  /** Aborted when it begins: work that would outlast the process ends then. */
  readonly begun: AbortSignal
  begin(): void
}

/** Shared by the apps that end together. */
export function drainState(): DrainState {
  const begun = new AbortController()
  return {
    get value() {
      return begun.signal.aborted
    },
    begun: begun.signal,
    begin: () => begun.abort(),
  }
}

/** Call it before the routes are registered. */
export function closeConnectionsWhileDraining(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.draining.value) reply.header('connection', 'close')
    done()
  })
}

export async function drain(app: FastifyInstance, reason: EndReason): Promise<void> {
  app.draining.begin()
  if (app.server.listening) await sleep(graceMs[reason] ?? 0)
}
