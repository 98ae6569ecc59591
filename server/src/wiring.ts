/** The only place of assembly: configuration → store, vault, connectors, clock → operations → engines and HTTP app. */
import { randomInt } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type MovableClock, systemClock } from './clock.ts'
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
import { systemIds } from './ids.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import type { Deps } from './operations/deps.ts'
import { operations } from './operations/index.ts'
import type { Ids } from './ports.ts'
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
import { dataKeyRows } from './store/data-keys.ts'
import { deferredCommandStore } from './store/deferred-commands.ts'
import { idempotencyStore } from './store/idempotency.ts'
import { instanceStore } from './store/instance.ts'
import { payerStepStore } from './store/payer-steps.ts'
import { paymentStore } from './store/payments.ts'
import { openPool, type Pool } from './store/pool.ts'
import { announce, type Presence } from './store/presence.ts'
import { scheduleStore } from './store/schedules.ts'
import { subscriptionStore } from './store/subscriptions.ts'
import { unresolvedCount, unresolvedStore } from './store/unresolved.ts'
import { usageStore } from './store/usage.ts'
import { externalMpi } from './three-ds/external.ts'
import { sandboxMpi } from './three-ds/sandbox.ts'
import { readKeyRing } from './vault/key-ring.ts'
import type { Vault } from './vault/port.ts'
import { openVault } from './vault/vault.ts'

/** What the command line needs as well as the service: a migrated database, its keys and its clock. */
export interface Base {
  readonly config: Config
  readonly databaseUrl: string
  readonly pool: Pool
  readonly vault: Vault
  readonly clock: MovableClock
  readonly ids: Ids
  readonly log: FastifyBaseLogger
}

export async function wireBase(config: Config, databaseUrl: string, log: FastifyBaseLogger): Promise<Base> {
  const pool = openPool(databaseUrl, {
    max: config.databasePool,
    applicationName: `gatehouse ${config.role}`,
    log: (line) => log.warn(line),
  })
  const clock = systemClock()
  clock.moveTo(config.mode === 'sandbox' ? await instanceStore(pool).clockOffsetMs() : 0)
  const source = config.keys === null ? { file: config.keyFile ?? '' } : { text: config.keys }
  const { ring, warnings } = await readKeyRing({ ...source, create: config.mode === 'sandbox' && config.keys === null })
  for (const warning of warnings) log.warn(warning)
  const vault = await openVault({
    ring,
    keys: dataKeyRows(pool),
    clock,
    ...(config.keys === null ? { rereadRing: async () => (await readKeyRing({ ...source, create: false })).ring } : {}),
  })
  return { config, databaseUrl, pool, vault, clock, ids: systemIds(clock), log }
}

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
export async function wireService(base: Base, sandboxUrl: string | null): Promise<Service> {
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
    mid: configuration.midRow,
    vault,
    wires,
    log,
    observe: metrics.exchange,
  })
  let wakeCallbacks = () => {}
  const publicUrl = (): string => config.baseUrl ?? listeningAt(app)
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

/** Without a public address of its own the service is reached where it listens. */
function listeningAt(app: FastifyInstance): string {
  const address = app.server.address()
  if (typeof address !== 'object' || address === null)
    throw new Error('The service is not listening, and BASE_URL is not set.')
  const host = address.address === '0.0.0.0' || address.address === '::' ? '127.0.0.1' : address.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

/** The callback engine comes first: operations wake it. */
function startEngines(
  { config, pool, clock, ids, log }: Base,
  deps: Deps,
  configuration: LoadedConfiguration,
  metrics: Metrics,
): readonly DueWork[] {
  const callbacks = runCallbacks({
    rows: callbackRows(pool),
    secretsOf: configuration.secrets,
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

/** Announces this process and follows the configuration and the test clock from then on. */
async function join(
  { config, databaseUrl, pool, clock, log }: Base,
  configuration: LoadedConfiguration,
): Promise<Presence> {
  // A change announced while the last one is being read is read afterwards, once.
  let reading = false
  let again = false
  const refresh = async (): Promise<void> => {
    reading = true
    do {
      again = false
      await configuration.refresh()
      if (config.mode === 'sandbox') clock.moveTo(await instanceStore(pool).clockOffsetMs())
    } while (again)
  }
  const changed = (): void => {
    again = true
    if (reading) return
    refresh()
      .catch((error: unknown) => log.error({ err: error }, 'The configuration could not be read anew.'))
      .finally(() => {
        reading = false
      })
  }
  return announce(databaseUrl, randomInt(1, 2 ** 31 - 1), { changed, log })
}
