/**
 * What the operator's tools ask: which release this is, whether the process runs, whether it should get traffic, and its metrics.
 *
 * `alive` and `health` differ on purpose. A process whose database is away is alive, and restarting it would not help; it is not
 * healthy, and a balancer should send payments elsewhere. While the process drains, health says so before the port closes.
 *
 * Answers name the parts and their states, never a reason: reasons hold addresses and go to the log.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { withinMs } from '#server/observe/deadline.ts'
import type { Metrics } from '#server/observe/metrics.ts'
import { noteRequest } from '#server/observe/requests.ts'
import type { Log } from '#server/ports.ts'

/** The release of the interface that this service speaks. */
export const INTERFACE_VERSION = '6.7.0'

/** Resolves when the part can do its work, rejects when it cannot. */
export type HealthCheck = () => Promise<void>

export interface ServiceOptions {
  readonly version: string
  /** By the name of the part: database, worker, keys … */
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly draining: () => boolean
  readonly metrics: Metrics
  readonly log: Log
}

export function service(options: ServiceOptions): FastifyPluginCallback {
  const health = healthOf(options)

  return (app, _options, done) => {
    app.addHook('onRequest', (request: FastifyRequest, reply, next) => {
      noteRequest(request, { protocol: 'service' })
      reply.header('cache-control', 'no-store')
      next()
    })
    app.get('/service/version', () => ({ version: options.version, interface: INTERFACE_VERSION }))
    app.get('/service/alive', () => ({ status: 'alive' }))
    app.get('/service/health', async (_request, reply) => {
      const state = await health()
      return reply.code(state.status === 'healthy' ? 200 : 503).send(state)
    })
    app.get('/metrics', async (_request, reply) =>
      reply.type(options.metrics.contentType).send(await options.metrics.text()),
    )
    done()
  }
}

type PartState = 'ok' | 'failing'

interface Health {
  readonly status: 'healthy' | 'unhealthy' | 'draining'
  readonly parts: Readonly<Record<string, PartState>>
}

const CHECK_DEADLINE_MS = 2000

function healthOf({ checks, draining, log }: ServiceOptions): () => Promise<Health> {
  const looks = Object.entries(checks).map(([part, check]) => ({ part, look: shared(lookAt(part, check, log)) }))

  return async () => {
    const states = await Promise.all(looks.map(async ({ part, look }) => [part, await look()] as const))
    const healthy = states.every(([, state]) => state === 'ok')
    return { status: draining() ? 'draining' : healthy ? 'healthy' : 'unhealthy', parts: Object.fromEntries(states) }
  }
}

/** Balancers ask every few seconds, so the log tells of changes only. */
function lookAt(part: string, check: HealthCheck, log: Log): () => Promise<PartState> {
  let before: PartState = 'ok'
  return async () => {
    try {
      await withinMs(CHECK_DEADLINE_MS, check)
      if (before === 'failing') log.info({ part }, 'A health check passes again.')
      before = 'ok'
    } catch (err) {
      if (before === 'ok') log.warn({ part, err }, 'A health check fails.')
      before = 'failing'
    }
    return before
  }
}

/** Everyone who asks while a look is under way gets its result, so that many who ask cannot burden the part. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= look().finally(() => {
      running = null
    })
    return running
  }
}
