/**
 * What the operator's tools ask: which release this is, whether the process runs, whether it should get traffic, and its metrics.
 *
 * `alive` and `health` differ on purpose. A process whose database is away is alive, and restarting it would not help; it is not
 * healthy, and a balancer should send payments elsewhere. While the process drains, health says so before the port closes.
 *
 * Answers name the parts, their states and a code from a fixed list (`problems.ts`), never a reason of its own: reasons hold addresses
 * and go to the log. A process that cannot write payments is unhealthy and answers 503; one that can, but has something that a person
 * should look at, is degraded and answers 200.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Log } from '#server/contracts/ports.ts'
import { withinMs } from '#server/observe/deadline.ts'
import type { Metrics } from '#server/observe/metrics.ts'
import { noteRequest } from '#server/observe/requests.ts'
import { type HealthProblemCode, healthProblems, problemCodeOf } from './problems.ts'

/** The release of the interface that this service speaks. */
const INTERFACE_VERSION = '6.7.0'

/** Resolves when the part can do its work, rejects when it cannot. */
export type HealthCheck = () => Promise<void>

export interface ServiceOptions {
  readonly version: string
  /** By the name of the part: database, writes, keys … Without one of them no payment can be taken. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  /** Parts without which payments can be taken: worker, clock … */
  readonly notices?: Readonly<Record<string, HealthCheck>>
  readonly draining: () => boolean
  readonly metrics: Metrics
  /** False on a listener that everybody reaches: no metrics, and of health nothing but the word. */
  readonly detailed: boolean
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
      const { status } = state
      const isServing = status === 'healthy' || status === 'degraded'
      return reply.code(isServing ? 200 : 503).send(options.detailed ? state : { status })
    })
    if (options.detailed)
      app.get('/metrics', async (_request, reply) =>
        reply.type(options.metrics.contentType).send(await options.metrics.text()),
      )
    done()
  }
}

type PartState = 'ok' | 'failing'

interface Problem {
  readonly part: string
  readonly code: HealthProblemCode
  readonly text: string
}

interface Health {
  readonly status: 'healthy' | 'degraded' | 'unhealthy' | 'draining'
  readonly parts: Readonly<Record<string, PartState>>
  readonly problems: readonly Problem[]
}

const CHECK_DEADLINE_MS = 2000

function healthOf({ checks, notices = {}, draining, log }: ServiceOptions): () => Promise<Health> {
  const lookers = (all: Readonly<Record<string, HealthCheck>>, needed: boolean) =>
    Object.entries(all).map(([part, check]) => ({ part, needed, look: shareRunning(lookAt(part, check, log)) }))
  const looks = [...lookers(checks, true), ...lookers(notices, false)]

  return async () => {
    const seen = await Promise.all(looks.map(async ({ look, ...one }) => ({ ...one, code: await look() })))
    const ill = seen.flatMap(({ code, ...one }) => (code === null ? [] : [{ ...one, code }]))
    return {
      status: draining() ? 'draining' : statusOf(ill),
      parts: Object.fromEntries(seen.map(({ part, code }) => [part, code === null ? 'ok' : 'failing'])),
      problems: ill.map(({ part, code }) => ({ part, code, text: healthProblems[code] })),
    }
  }
}

function statusOf(ill: readonly { readonly needed: boolean }[]): Health['status'] {
  if (ill.length === 0) return 'healthy'
  return ill.some(({ needed }) => needed) ? 'unhealthy' : 'degraded'
}

/** Null when all is well. Balancers ask every few seconds, so the log tells of changes only. */
function lookAt(part: string, check: HealthCheck, log: Log): () => Promise<HealthProblemCode | null> {
  let before: HealthProblemCode | null = null
  return async () => {
    try {
      await withinMs(CHECK_DEADLINE_MS, check)
      if (before !== null) log.info({ part }, 'A health check passes again.')
      before = null
    } catch (err) {
      if (before === null) log.warn({ part, err }, 'A health check fails.')
      before = problemCodeOf(err)
    }
    return before
  }
}

/** Everyone who asks while a look is under way gets its result, so that many who ask cannot burden the part. */
function shareRunning<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= look().finally(() => {
      running = null
    })
    return running
  }
}
