/** Counts the requests of a protocol at the gate from their first byte; above the limit a request is refused before its body is read. */
import type { FastifyInstance } from 'fastify'
import type { Gate } from '../../overload/gate.ts'

export function countOpenRequests(app: FastifyInstance, gate: Pick<Gate, 'open'>): void {
  app.addHook('onRequest', (_, reply, done) => {
    const close = gate.open()
    reply.raw.once('close', close)
    done()
  })
}
