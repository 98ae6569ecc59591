/**
 * How a process that serves requests ends. A balancer and merchants keep connections open, and a request may be on its way on any of
 * them: closed at once, it would fail. So for a moment the process still serves. Its health says that it drains, and each answer asks for
 * its connection to be closed; a balancer that looks at the health sends nothing here any more when the port is closed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const graceMs = 2_000

/** To be called before the routes are registered. */
export function closeConnectionsWhileDraining(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.draining.value) reply.header('connection', 'close')
    done()
  })
}

/** A person who presses Ctrl-C does not wait for a balancer to look elsewhere. */
export async function drain(app: FastifyInstance, signal: NodeJS.Signals): Promise<void> {
  app.draining.value = true
  if (signal === 'SIGTERM' && app.server.listening) await sleep(graceMs)
}
