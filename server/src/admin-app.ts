/** The panel as an app of its own: its pages and API, what its pages load, the metrics and the whole state of health. */
import type { FastifyInstance } from 'fastify'
import { type AppParts, emptyApp, registerPanel, serviceOf } from './app.ts'
import { webFileRoutes } from './protocols/assets/index.ts'
import { logoRoute } from './protocols/hosted-page/session/branding.ts'
import { brandingStore } from './store/configuration/brandings.ts'

/** Null where the panel shares the listener of payments, or is not served by this process. */
export async function buildAdminApp(parts: AppParts, payments: FastifyInstance): Promise<FastifyInstance | null> {
  const { base, publicUrl, webFiles } = parts
  const { admin, instanceMode, role } = base.config
  if (admin.listener === null || role === 'worker') return null
  const app = emptyApp(parts)
  await app.register(serviceOf(parts, () => payments.draining.value, true))
  await registerPanel(app, parts)
  webFileRoutes(app, webFiles)
  logoRoute(app, { brandings: brandingStore(base.pool) })
  app.get('/', (_, reply) => reply.redirect('/admin'))
  // A sandbox's panel links to the simulator, which stands beside the pages of payers.
  if (instanceMode === 'sandbox') app.get('/simulator/*', ({ url }, reply) => reply.redirect(`${publicUrl()}${url}`))
  return app
}
