/** Builds the HTTP app from what `wiring.ts` gives it; tests inject requests without a port. */

import fastify, { type FastifyInstance } from 'fastify'
import { errors } from '#domain/errors.ts'
import type { Foundation } from './foundation.ts'
import { appLogOptions } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import { observeRequests } from './observe/requests.ts'
import type { Operations } from './operations/index.ts'
import type { Configuration, Idempotency } from './ports.ts'
import { errorBody } from './protocols/kit/error-body.ts'
import { requestLimiter } from './protocols/kit/rate-limit.ts'
import { payerPages } from './protocols/page/index.ts'
import { s2sCard } from './protocols/s2s-card/index.ts'
import { sandboxPages } from './protocols/sandbox-pages/index.ts'
import { service } from './protocols/service/index.ts'
import { release } from './release.ts'

export interface AppParts {
  readonly base: Foundation
  readonly operations: Operations
  readonly configuration: Configuration
  readonly idempotency: Idempotency
  readonly metrics: Metrics
  /** Whose pages are served under `/sandbox/`; null when there is none. */
  readonly sandboxUrl: string | null
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Set before the port closes, so that a balancer stops sending payments here. */
    draining: { value: boolean }
  }
}

/** An answer may wait for an acquirer; what stays silent for longer than this is gone. */
const requestTimeoutMs = 60_000

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { base, operations, configuration, idempotency, metrics, sandboxUrl } = parts
  const { config, clock, ids, log, pool } = base
  const app = fastify({
    ...appLogOptions(log),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true },
    return503OnClosing: true,
  })
  app.decorate('draining', { value: false })
  observeRequests(app, { log, metrics, ids })
  app.setNotFoundHandler((_, reply) =>
    reply
      .code(404)
      .header('content-type', 'application/json')
      .send(errorBody({ refusal: errors.routeNotSupported, violations: [] })),
  )
  const checks = { database: async () => void (await pool.query('select 1')) }
  await app.register(service({ version: release, checks, draining: () => app.draining.value, metrics, log }))
  await app.register(
    s2sCard({
      configuration,
      operations,
      idempotency,
      limiter: requestLimiter(clock),
      clock,
      sandbox: config.mode === 'sandbox',
      trustedProxies: config.trustedProxies,
    }),
  )
  await app.register(payerPages({ configuration, operations }))
  if (sandboxUrl !== null) await app.register(sandboxPages({ url: () => sandboxUrl }))
  return app
}
