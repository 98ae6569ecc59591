/** The panel as a separate app: its pages and API, their files, the metrics and the detailed health. */
import type { FastifyInstance } from 'fastify'
import { documentationOf, serviceRoutesOf } from './app.ts'
import type { AppParts } from './app-parts.ts'
import { boundConnections, emptyApp } from './empty-app.ts'
import { callerRoom, descriptorLimit } from './health/descriptors.ts'
import { registerPanel } from './panel-app.ts'
import { webFileRoutes } from './protocols/assets/index.ts'
import { logoRoute } from './protocols/hosted-page/session/branding.ts'
import { brandingStore } from './store/configuration/brandings.ts'

/** Null if the panel shares the listener of payments, or this process serves neither the panel nor its own health. */
export async function buildAdminApp(parts: AppParts, payments: FastifyInstance): Promise<FastifyInstance | null> {
  const { base, publicUrl, webFiles } = parts
  const { admin, instanceMode, role } = base.config
  if (role === 'worker') return base.config.workerListener && buildServiceApp(parts, payments)
  if (admin.listener === null) return null
  const app = await buildServiceApp(parts, payments)
  await registerPanel(app, parts)
  webFileRoutes(app, webFiles)
  // Here the examples of the documentation have the keys of the signed-in user's merchants.
  await app.register(documentationOf(parts, 'panel'))
  logoRoute(app, { brandings: brandingStore(base.pool) })
  app.get('/', (_, reply) => reply.redirect('/admin'))
  // A sandbox's panel links to the simulator, which is served beside the payer pages.
  if (instanceMode === 'sandbox') app.get('/simulator/*', ({ url }, reply) => reply.redirect(`${publicUrl()}${url}`))
  return app
}

/** Health and metrics only, which a worker serves for the supervisor and for Prometheus. */
async function buildServiceApp(parts: AppParts, payments: FastifyInstance): Promise<FastifyInstance> {
  const app = emptyApp(parts, payments.draining)
  boundConnections(app, parts, callerRoom(parts.base.config, descriptorLimit()).panel)
  await app.register(serviceRoutesOf(parts, () => payments.draining.value, true))
  return app
}
