/**
 * `/sandbox/*`: the pages of the sandbox under this service's own address. Only in sandbox mode. Chapter 10 §12, "3DS page" and
 * "Redirect page". Nothing outside of `/sandbox` is forwarded, so that the sandbox's ledger, clock and scenarios stay out of reach.
 */
import type { FastifyInstance } from 'fastify'
import { noteRequest } from '../../../observe/requests.ts'
import { notFound, plainPath, sandboxProxy } from '../../kit/sandbox-proxy.ts'

interface SandboxPagesOptions {
  /** Where the sandbox listens now. */
  readonly url: () => string
}

export const sandboxPages =
  ({ url }: SandboxPagesOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    const proxy = sandboxProxy(app, url)
    app.route({
      method: ['GET', 'POST'],
      url: '/sandbox/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        noteRequest(request, { protocol: 'page' })
        const path = forwardedPath(request.url)
        return path === null ? notFound(reply) : proxy.forward(request, reply, path)
      },
    })
  }

function forwardedPath(url: string): string | null {
  const path = plainPath(url)
  if (path === null || path.segments[0] !== 'sandbox' || path.segments.length < 2) return null
  return `/${path.segments.join('/')}${path.query}`
}
