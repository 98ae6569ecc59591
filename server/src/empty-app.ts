/** What the apps of payments and of the panel have in common before their first route. */
import fastify, { type FastifyInstance } from 'fastify'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { AppParts } from './app-parts.ts'
import { boundIdleConnections } from './network/idle-connections.ts'
import { noticeUntrustedProxy } from './network/untrusted-proxy.ts'
import { appLogOptions } from './observe/log.ts'
import { observeRequests } from './observe/requests.ts'
import { createOverloadLog } from './overload/overload-log.ts'
import type { Acceptors } from './process/acceptors.ts'
import { type DrainState, drainState } from './process/drain.ts'
import { checkoutErrorBody } from './protocols/checkout/error-body.ts'
import { errorBody } from './protocols/kit/error-body.ts'
import { guardHosts } from './protocols/kit/host-guard.ts'
import { recoveryGate } from './protocols/kit/recovery-gate.ts'
import { bodyMs, limitBodies, limitBody } from './protocols/service/body-time.ts'
import { refuseAddress, refuseConnection } from './protocols/service/connection-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set before the port closes, so that a load balancer stops sending payments here. */
    draining: DrainState
    /** The additional sockets that listen for it; null before it listens. */
    acceptors: { value: Acceptors | null }
  }
}

const headersMs = 60_000

type EmptyAppParts = Pick<AppParts, 'base' | 'metrics' | 'recovery' | 'tracing' | 'bodyMs'>

const untrustedProxySentence =
  'A caller sends X-Forwarded-For and is not in TRUSTED_PROXIES. If this is your proxy, all payers behind it share its address, in rate limits and lists of allowed addresses: add it.'

/** `draining` is shared by apps that end together. */
export function emptyApp(
  { base, metrics, recovery, tracing, bodyMs: bodyLimitMs = bodyMs }: EmptyAppParts,
  draining: DrainState = drainState(),
): FastifyInstance {
  const { config, ids, log } = base
  const app = fastify({
    ...appLogOptions(log),
    // Node would count the body, too, whose time depends on its route.
    requestTimeout: 0,
    http: { headersTimeout: headersMs },
    connectionTimeout: limits.overload.silentConnectionMs,
    keepAliveTimeout: 72_000,
    // A session token is longer than the framework's default limit for a path parameter. Chapter 30 §3.6.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    return503OnClosing: true,
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => {
      limitBody(request.raw, bodyLimitMs)
      refuseAddress(error, request, reply)
    },
    // Requests are checked by tables of our own. Without these the framework loads its validator and its serializer, which nothing uses.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
  })
  limitBodies(app, bodyLimitMs)
  app.decorate('draining', draining)
  app.decorate('acceptors', { value: null })
  observeRequests(app, { log, metrics, ids, tracing })
  guardHosts(app, config.formsDomain)
  const notice = noticeUntrustedProxy(config.trustedProxies, (address) => log.warn({ address }, untrustedProxySentence))
  app.addHook('onRequest', (request, _reply, done) => {
    notice(request.raw)
    done()
  })
  app.setNotFoundHandler((_, reply) =>
    reply
      .code(404)
      .header('content-type', 'application/json')
      .send(errorBody({ refusal: errors.routeNotSupported, violations: [] })),
  )
  app.addHook(
    'onRequest',
    recoveryGate(recovery, (refused, { url, id }) =>
      url.startsWith('/api/v1/') || url.startsWith('/page/v1/') ? checkoutErrorBody(refused, id) : errorBody(refused),
    ),
  )
  return app
}

/** The share of a listener's connections that one caller may leave idle. */
const idleShare = 1 / 4

/** Bounds the connections of a listener, and of them the idle ones of each caller. */
export function boundConnections(
  { server }: FastifyInstance,
  { base: { config, log }, metrics }: Pick<AppParts, 'base' | 'metrics'>,
  most: number,
): void {
  const noteDrop = createOverloadLog(
    log,
    `Connections were closed at once: ${most} are open, and more are not accepted.`,
  )
  server.maxConnections = most
  server.on('drop', () => {
    metrics.gate.countRefused('connections')
    noteDrop()
  })
  const idle = Math.max(1, Math.floor(most * idleShare))
  const noteIdle = createOverloadLog(
    log,
    `A caller had more than ${idle} idle connections, and the longest idle ones were closed. If it is your proxy, add it to TRUSTED_PROXIES.`,
  )
  boundIdleConnections(server, {
    most: idle,
    trusted: config.trustedProxies,
    onClosed: (address) => {
      metrics.gate.countRefused('idle')
      noteIdle({ address })
    },
  })
}

function noSchema(): never {
  throw new Error('A route has a schema of the framework. Check its request by a table of parameters instead.')
}
