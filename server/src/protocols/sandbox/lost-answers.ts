/**
 * Closes a merchant's connection instead of answering, for requests that trigger it at the sandbox acquirer. Chapter 10 §12, expiry
 * 07/2039. Installed around the merchants' protocols only on an instance with a sandbox. The outcome is stored by then, so that a repeated
 * request with the same idempotency key gets the answer.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'

export type Plugin = (app: FastifyInstance) => Promise<void>

interface MerchantRequest {
  isAnswerLost: boolean
}

interface RequestContext {
  run(request: MerchantRequest, serve: () => void): void
}

export const losingAnswers =
  (context: RequestContext, plugin: Plugin): Plugin =>
  async (app) => {
    const requests = new WeakMap<FastifyRequest, MerchantRequest>()
    // Not earlier: reading the body would leave the context.
    app.addHook('preHandler', (request, _reply, done) => {
      const current: MerchantRequest = { isAnswerLost: false }
      requests.set(request, current)
      context.run(current, done)
    })
    app.addHook('onSend', async (request, _reply, body) => {
      if (requests.get(request)?.isAnswerLost) request.raw.socket.destroy()
      return body
    })
    await app.register(plugin)
  }
