/**
 * The panel within an app. Its endpoints are as large as the protocols of payments, and most processes that may serve it are never asked: they
 * are loaded with the first visit, into an app of their own that answers the requests for it. See decisions/processes#late-loading.
 */
import type { FastifyInstance } from 'fastify'
import type { AppParts } from './app-parts.ts'
import { emptyApp } from './empty-app.ts'
import { passOn } from './observe/requests.ts'
import { AdminRefused } from './panel/admin-refused.ts'
import { closeConnectionsWhileDraining } from './process/drain.ts'
import { panelHosts } from './protocols/admin/api/panel-host.ts'
import { adminPages } from './protocols/admin/pages/index.ts'

type PanelParts = Pick<AppParts, 'base' | 'metrics' | 'recovery' | 'tracing' | 'bodyMs' | 'context' | 'webFiles'>
type IsPanelHost = (host: string | undefined) => boolean

export async function registerPanel(app: FastifyInstance, parts: PanelParts): Promise<void> {
  const { base, context, webFiles: files } = parts
  const { panelUrl, publicUrl: fieldsUrl, singleSignOn } = context
  const { admin } = base.config
  const isPanelHost = panelHosts({ url: admin.url, listensOn: admin.listener?.host ?? null })
  const panel = once(() => loadPanel(parts, isPanelHost, app.draining))
  await app.register(answeredBy(panel, ['/admin/api/*', ...(singleSignOn === null ? [] : ['/admin/sso/*'])]))
  // While the browser loads the files of the page. If it fails, the request that follows says so.
  const onVisit = (): void => void panel().catch(() => undefined)
  await app.register(adminPages({ files, panelUrl, fieldsUrl, isPanelHost, onVisit }))
}

async function loadPanel(
  parts: PanelParts,
  isPanelHost: IsPanelHost,
  draining: FastifyInstance['draining'],
): Promise<FastifyInstance> {
  const { adminApi } = await import('./protocols/admin/api/index.ts')
  const { singleSignOnRoutes } = await import('./protocols/admin/api/single-sign-on/routes.ts')
  const app = emptyApp(parts, draining)
  closeConnectionsWhileDraining(app)
  const options = { context: parts.context, trustedProxies: parts.base.config.trustedProxies, isPanelHost }
  await app.register(adminApi(options))
  await app.register(singleSignOnRoutes(options))
  await app.ready()
  return app
}

/** The requests are answered as if they had reached the other app. */
const answeredBy =
  (load: () => Promise<FastifyInstance>, paths: readonly string[]) =>
  async (app: FastifyInstance): Promise<void> => {
    // Before the body is read, which the other app does within its own limits.
    app.addHook('onRequest', async (request, reply) => {
      const other = await load()
      passOn(request)
      reply.hijack()
      other.routing(request.raw, reply.raw)
    })
    app.setErrorHandler((error, request, reply) => {
      request.log.error({ err: error }, 'The panel could not be loaded.')
      const { http, code, message, fields } = new AdminRefused('failed')
      return reply.code(http).send({ error: { code, message, fields, requestId: request.id } })
    })
    for (const path of paths) app.all(path, (_, reply) => reply.code(404).send())
  }

/** A failure is not kept: the next call tries again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().catch((error: unknown) => {
      running = null
      throw error
    })
    return running
  }
}
