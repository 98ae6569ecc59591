/** The only place of assembly: configuration → store, vault, connectors, clock → operations → engines and HTTP app. */
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { acquirers } from './connectors/acquirers.ts'
import { connectors } from './connectors/registry.ts'
import { createWires } from './connectors/wire.ts'
import { runCallbacks } from './due/callbacks.ts'
import { runChargebacks } from './due/chargebacks.ts'
import { runDeferredCommands } from './due/deferred-commands.ts'
import type { DueWork } from './due/due-work.ts'
import { runPayerSteps } from './due/payer-steps.ts'
import { runReconciler } from './due/reconcile.ts'
import { runSchedules } from './due/schedules.ts'
import type { Foundation } from './foundation.ts'
import { join } from './membership.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import type { Deps } from './operations/deps.ts'
import { operations } from './operations/index.ts'
import { reporter } from './protocols/reporter.ts'
import { cardActions } from './protocols/s2s-card/index.ts'
import { release } from './release.ts'
import { acquirerCursorStore } from './store/acquirer-cursors.ts'
import { alertStore } from './store/alerts.ts'
import { backlog } from './store/callback-log.ts'
import { callbackRows } from './store/callbacks.ts'
import { cardStore } from './store/cards.ts'
import { chainStore } from './store/chains.ts'
import { type LoadedConfiguration, loadConfiguration } from './store/configuration.ts'
import { deferredCommandStore } from './store/deferred-commands.ts'
import { idempotencyStore } from './store/idempotency.ts'
import { payerStepStore } from './store/payer-steps.ts'
import { paymentStore } from './store/payments.ts'
import { scheduleStore } from './store/schedules.ts'
import { subscriptionStore } from './store/subscriptions.ts'
import { unresolvedCount, unresolvedStore } from './store/unresolved.ts'
import { usageStore } from './store/usage.ts'
import { externalMpi } from './three-ds/external.ts'
import { sandboxMpi } from './three-ds/sandbox.ts'

export interface Service {
  readonly app: FastifyInstance
  readonly configuration: LoadedConfiguration
  readonly metrics: Metrics
  /** The engines of this process; empty when it only serves requests. */
  readonly engines: readonly DueWork[]
  /** Resolves when nothing is due and nothing is running. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** `sandboxUrl` is where the sandbox listens; null on a live instance and where none was named. */
export async function wireService(base: Foundation, sandboxUrl: string | null): Promise<Service> {
  const { config, pool, vault, clock, ids, log } = base
  const configuration = await loadConfiguration(pool, vault, log)
  const presence = await join(base, configuration)
  const metrics = createMetrics({
    actions: cardActions.flatMap(({ names }) => names),
    connectors: connectors.map(({ id }) => id),
    callbackBacklog: async () => (await backlog(pool, clock.now())).waiting,
    unresolvedTransactions: () => unresolvedCount(pool),
  })
  const wires = createWires()
  const acquiring = acquirers({
    mid: (id) => configuration.midRow(id),
    vault,
    wires,
    log,
    observe: (sample) => metrics.exchange(sample),
  })
  let wakeCallbacks = () => {}
  const publicUrl = (): string => config.baseUrl ?? listeningAt(app, config)
  const deps: Deps = {
    payments: paymentStore(pool),
    steps: payerStepStore(pool),
    cards: cardStore(pool),
    chains: chainStore(pool),
    schedules: scheduleStore(pool),
    subscriptions: subscriptionStore(pool),
    deferred: deferredCommandStore(pool),
    usage: usageStore(pool),
    vault,
    configuration,
    acquirers: acquiring,
    mpis: {
      sandbox: sandboxUrl === null ? null : sandboxMpi({ url: () => sandboxUrl, publicUrl, log }),
      external: config.mpi && externalMpi({ ...config.mpi, log }),
    },
    reporter: reporter({ configuration, acquirers: acquiring, ids }),
    alerts: alertStore(pool, { clock, ids }),
    clock,
    ids,
    log,
    planRetryHours: config.planRetryHours,
    issuers: config.issuers,
    processNumber: presence.number,
    publicUrl,
    wake: () => wakeCallbacks(),
  }
  const engines = config.role === 'api' ? [] : startEngines(base, deps, configuration, metrics)
  wakeCallbacks = () => engines[0]?.wake()
  const app = await buildApp({
    base,
    operations: operations(deps),
    configuration,
    idempotency: idempotencyStore(pool, { clock, ids }),
    metrics,
    sandboxUrl,
  })
  return {
    app,
    configuration,
    metrics,
    engines,
    idle: () => allIdle(engines),
    stop: async () => {
      await app.close()
      await Promise.all(engines.map((engine) => engine.stop()))
      await presence.leave()
      await wires.close()
      await pool.end()
    },
  }
}

/** What one engine does may be work for another, so that all are asked again until nobody had anything to do. */
async function allIdle(engines: readonly DueWork[]): Promise<void> {
  const begun = () => engines.reduce((sum, engine) => sum + engine.begun, 0)
  for (let before = -1; before !== begun(); ) {
    before = begun()
    await Promise.all(engines.map((engine) => engine.idle()))
  }
}

/** Without a public address of its own the service is reached where it listens; a worker names where its api does by default. */
function listeningAt(app: FastifyInstance, { host, port }: Config): string {
  const address = app.server.address()
  const at = typeof address === 'object' && address !== null ? address : { address: host, port }
  const name = at.address === '0.0.0.0' || at.address === '::' ? '127.0.0.1' : at.address
  return `http://${name.includes(':') ? `[${name}]` : name}:${at.port}`
}

/** The callback engine comes first: operations wake it. */
function startEngines(
  { config, pool, clock, ids, log }: Foundation,
  deps: Deps,
  configuration: LoadedConfiguration,
  metrics: Metrics,
): readonly DueWork[] {
  const callbacks = runCallbacks({
    rows: callbackRows(pool),
    secretsOf: (merchantId) => configuration.secrets(merchantId),
    addresses: { allowPrivate: config.allowPrivateCallbacks },
    clock,
    ids,
    log,
    version: release,
    onResult: (result) => metrics.callback(result === 'retry' ? 'retried' : result),
  })
  return [
    callbacks,
    runReconciler(deps, unresolvedStore(pool)),
    runPayerSteps(deps),
    runSchedules(deps),
    runDeferredCommands(deps),
    runChargebacks(deps, acquirerCursorStore(pool)),
  ]
}
