/**
 * Endpoints for the operator's tools: the release, whether the process runs, whether it should get traffic, and its metrics.
 *
 * `alive` and `health` differ on purpose. A process without its database is alive, and restarting it would not help; it is not healthy, and
 * a load balancer should send payments elsewhere. A draining process reports that in its health before the port closes.
 *
 * Answers contain the parts, their states and a code from a fixed list (`problems.ts`), but no error messages: those may contain addresses
 * and are written to the log. A process that cannot write payments is unhealthy and answers 503; one that can, but needs attention, is
 * degraded and answers 200.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Log } from '#server/contracts/ports.ts'
import { withinMs } from '#server/observe/deadline.ts'
import type { Metrics } from '#server/observe/metrics.ts'
import { noteRequest } from '#server/observe/requests.ts'
import { type HealthProblemCode, healthProblems, nodesOf, problemCodeOf } from './problems.ts'

/** The version of the interface that this service implements. */
const INTERFACE_VERSION = '6.7.0'

/** Resolves when the part can do its work, rejects when it cannot. */
export type HealthCheck = () => Promise<void>

export interface ServiceOptions {
  readonly version: string
  /** Checks by the name of the part: database, writes, keys … Without one of them no payment can be taken. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  /** Parts without which payments can be taken: worker, clock … */
  readonly notices?: Readonly<Record<string, HealthCheck>>
  readonly draining: () => boolean
  readonly metrics: Metrics
  /** False on a public listener, which serves no metrics and only the status of the health. */
  readonly detailed: boolean
  readonly log: Log
}

export function serviceRoutes(options: ServiceOptions): FastifyPluginCallback {
  const health = createHealthCheck(options)

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
        reply.type(options.metrics.contentType).send(await options.metrics.composeText()),
      )
    done()
  }
}

type PartState = 'ok' | 'failing'

interface Problem {
  readonly part: string
  readonly code: HealthProblemCode
  readonly text: string
  /** Of `node_silent`. */
  readonly nodes?: readonly string[]
}

/** Why a check does not pass. */
type Failure = Pick<Problem, 'code' | 'nodes'>

interface Health {
  readonly status: 'healthy' | 'degraded' | 'unhealthy' | 'draining'
  readonly parts: Readonly<Record<string, PartState>>
  readonly problems: readonly Problem[]
}

const CHECK_DEADLINE_MS = 2000

function createHealthCheck({ checks, notices = {}, draining, log }: ServiceOptions): () => Promise<Health> {
  const checkersOf = (all: Readonly<Record<string, HealthCheck>>, needed: boolean) =>
    Object.entries(all).map(([part, check]) => ({ part, needed, look: shareRunning(loggedCheck(part, check, log)) }))
  const checkers = [...checkersOf(checks, true), ...checkersOf(notices, false)]

  return async () => {
    const results = await Promise.all(checkers.map(async ({ look, ...one }) => ({ ...one, failure: await look() })))
    const failing = results.flatMap(({ failure, ...one }) => (failure === null ? [] : [{ ...one, failure }]))
    return {
      status: draining() ? 'draining' : statusOf(failing),
      parts: Object.fromEntries(results.map(({ part, failure }) => [part, failure === null ? 'ok' : 'failing'])),
      problems: failing.map(({ part, failure: { code, ...rest } }) => ({
        part,
        code,
        text: healthProblems[code],
        ...rest,
      })),
    }
  }
}

function statusOf(failing: readonly { readonly needed: boolean }[]): Health['status'] {
  if (failing.length === 0) return 'healthy'
  return failing.some(({ needed }) => needed) ? 'unhealthy' : 'degraded'
}

/** Null if the check passes. Load balancers query every few seconds, so only changes are logged. */
function loggedCheck(part: string, check: HealthCheck, log: Log): () => Promise<Failure | null> {
  let before: Failure | null = null
  return async () => {
    try {
      await withinMs(CHECK_DEADLINE_MS, check)
      if (before !== null) log.info({ part }, 'A health check passes again.')
      before = null
    } catch (err) {
      if (before === null) log.warn({ part, err }, 'A health check fails.')
      const nodes = nodesOf(err)
      before = { code: problemCodeOf(err), ...(nodes && { nodes }) }
    }
    return before
  }
}

/** Concurrent callers share one running check, so that many requests cannot burden the checked part. */
function shareRunning<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= look().finally(() => {
      running = null
    })
    return running
  }
}
