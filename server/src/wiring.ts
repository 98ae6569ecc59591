/** The only place of assembly: configuration → store, vault, connectors, clock → operations → workers and HTTP app. */
import type { FastifyInstance } from 'fastify'
import { buildAdminApp } from './admin-app.ts'
import { buildApp } from './app.ts'
import type { AppParts } from './app-parts.ts'
import { openWires } from './assembly/acquirer-wires.ts'
import { openAlertSender } from './assembly/alert-sender.ts'
import { followCondition } from './assembly/condition.ts'
import { assembleWalletMail } from './assembly/mail-worker.ts'
import { joinInstance } from './assembly/membership.ts'
import { openPanelPool, openReports } from './assembly/panel-pool.ts'
import { assemblePaymentDeps } from './assembly/payment-deps.ts'
import type { ProcessContext } from './assembly/process-context.ts'
import { createServiceMetrics } from './assembly/service-metrics.ts'
import { startTracing } from './assembly/tracing.ts'
import { acquirers } from './connectors/acquirers.ts'
import { awaitAllIdle } from './due/all-idle.ts'
import type { DueWork } from './due/due-work.ts'
import { domainChecker } from './due/wallets/wallet-domain-check.ts'
import { guardedAcquirers } from './live-guard/acquirers.ts'
import { liveFindings } from './live-guard/checks.ts'
import { readLiveFacts } from './live-guard/facts.ts'
import { assembleMidHealth } from './mid-health/assembly.ts'
import type { RunningMidHealth } from './mid-health/mid-health.ts'
import { unusableMidAlert } from './mid-health/unusable-mid.ts'
import type { Metrics } from './observe/metrics.ts'
import { assembleGate } from './overload/assemble-gate.ts'
import { releaseDuringExchange, releaseDuringMpi } from './overload/slot-release.ts'
import { panelContext } from './panel/panel-context.ts'
import { type Operations, operations } from './payments/index.ts'
import { listeningAt } from './process/listening-address.ts'
import { withOwnMarks } from './protocols/assets/own-marks.ts'
import { loadWebFiles } from './protocols/assets/web-files.ts'
import { sessionKeys } from './protocols/checkout/session-keys.ts'
import { sessionTokens } from './protocols/checkout/session-token.ts'
import { logoPath } from './protocols/hosted-page/session/branding.ts'
import { previewPage } from './protocols/hosted-page/session/preview.ts'
import { startPulse } from './recovery/pulse.ts'
import { readRecovery } from './recovery/recovery.ts'
import { type LoadedConfiguration, loadConfiguration } from './store/configuration/configuration.ts'
import { endImport } from './store/finance/running-imports.ts'
import { alertStore } from './store/instance/alerts.ts'
import { idempotencyStore } from './store/payments/idempotency.ts'
import { refusedRequestLog } from './store/requests/refused-requests.ts'
import { sessionKeyRows } from './store/sessions/session-keys.ts'
import { assembleWallets } from './wallets/accounts/assembly.ts'

export interface Service {
  readonly app: FastifyInstance
  /** The panel's own app; null if it shares the app of payments, or is not served here. */
  readonly adminApp: FastifyInstance | null
  readonly configuration: LoadedConfiguration
  readonly operations: Operations
  readonly metrics: Metrics
  readonly midHealth: RunningMidHealth
  /** The workers of this process; empty if it only serves requests. */
  readonly workers: readonly DueWork[]
  /** Creates what the first request would otherwise wait for: the key for session tokens. */
  warmUp(): Promise<void>
  /** Resolves when nothing is due and nothing is running. */
  awaitIdle(): Promise<void>
  stop(): Promise<void>
}

interface WiringOptions {
  /** Reads the metrics of all processes that share the port. */
  readonly readAllMetrics?: () => Promise<string>
  /** Called before the first poll of the workers, which may be held. */
  readonly onWorkers?: (workers: readonly DueWork[]) => void
  readonly bodyMs?: AppParts['bodyMs']
}

/** `sandboxUrl` is where the sandbox listens; null on a live instance or if none is configured. */
export async function wireService(
  base: ProcessContext,
  sandboxUrl: string | null,
  { readAllMetrics, onWorkers, bodyMs }: WiringOptions = {},
): Promise<Service> {
  const { config, pool, vault, clock, ids, log } = base
  const guarded = guardedAcquirers(config, sandboxUrl)
  const configuration = await loadConfiguration(pool, vault, log, guarded.mayUse)
  const recovery = await readRecovery(pool)
  const presence = await joinInstance(base, configuration, recovery)
  const pulse = startPulse({ pool, clock, log, dataDir: config.dataDir })
  const metrics = createServiceMetrics(base, {
    condition: () => vitals,
    gate: () => gate.state,
    midHealth: () => configuration.mids().map(({ id, name }) => ({ mid: name, health: midHealth.health(id) })),
  })
  const gate = assembleGate(config.overload, metrics.gate, log)
  const wires = openWires(base, guarded)
  const alerts = alertStore(pool, { clock, ids })
  const tracing = await startTracing(base)
  const untraced = acquirers({
    mid: (id) => configuration.midRow(id),
    vault,
    wires,
    log,
    observe: (sample) => metrics.exchange(sample),
    dataDir: config.dataDir,
    onUnusable: (mid, fault) => alerts.raise(unusableMidAlert(mid, fault)),
  })
  const acquiring = tracing?.acquirers(untraced) ?? untraced
  const countOpened = (mid: string): void => metrics.breakerOpened(mid)
  const midHealth = await assembleMidHealth(base, { configuration, alerts, countOpened })
  const notifiers = { alerts, mail: await assembleWalletMail(base, configuration) }
  const wallets = await assembleWallets(base, configuration, notifiers, sandboxUrl)
  let wakeCallbacks = () => {}
  const publicUrl = (): string => config.baseUrl ?? listeningAt(app, config)
  const panelUrl = (): string =>
    config.admin.url ?? (adminApp && config.admin.listener ? listeningAt(adminApp, config.admin.listener) : publicUrl())
  const deps = assemblePaymentDeps(base, {
    configuration,
    acquirers: acquiring,
    guarded,
    midHealth,
    wallets,
    metrics,
    tracing,
    alerts,
    recovery,
    sandboxUrl,
    processNumber: presence.number,
    publicUrl,
    wake: () => wakeCallbacks(),
  })
  const panelPool = openPanelPool(base)
  const panelReports = openReports(base, panelPool)
  const workers =
    config.role === 'api'
      ? []
      : (await import('./assembly/workers.ts')).startWorkers(base, {
          deps,
          configuration,
          metrics,
          tracing,
          wallets,
          mail: notifiers.mail,
          reports: panelReports.reports,
          panelUrl,
        })
  const vitals = followCondition(base, {
    workers,
    alerts,
    recovery,
    processNumber: presence.number,
    sandboxUrl,
  })
  onWorkers?.(workers)
  wakeCallbacks = () => workers[0]?.wake()
  const keys = sessionKeys({ rows: sessionKeyRows(pool), vault, clock, ids, bits: config.sessionKeyBits })
  const tokens = sessionTokens(keys)
  const offered = operations({
    ...deps,
    acquirers: releaseDuringExchange(deps.acquirers, gate),
    mpis: releaseDuringMpi(deps.mpis, gate),
  })
  const webFiles = await withOwnMarks(await loadWebFiles(log), config.marksDir, log)
  const domains = domainChecker({ addresses: { allowPrivate: config.allowPrivateCallbacks } })
  const refusedRequests = refusedRequestLog(pool, { ids, log })
  const parts: AppParts = {
    base,
    ...(bodyMs === undefined ? {} : { bodyMs }),
    operations: offered,
    configuration,
    idempotency: idempotencyStore(pool, { clock, ids }),
    refusedRequests,
    sessionTokens: tokens,
    wallets,
    alerts,
    recovery,
    webFiles,
    metrics: readAllMetrics ? { ...metrics, composeText: readAllMetrics } : metrics,
    vitals,
    gate,
    tracing,
    sandboxUrl,
    publicUrl,
    context: panelContext(
      { ...base, pool: panelPool },
      {
        reports: panelReports.reports,
        listFindings: async () => liveFindings(await readLiveFacts(config, pool, vault)),
        operations: offered,
        configuration,
        acquirers: acquiring,
        sandboxUrl,
        publicUrl,
        ending: () => app.draining.begun,
        endImport: (importId) => endImport(pool, importId),
        sessionTokens: tokens,
        panelUrl,
        checkDomain: (...domain) => domains.check(...domain),
        alertSender: openAlertSender(base),
        previewPage: ({ logo, ...look }, language) =>
          previewPage(
            { files: webFiles, publicUrl: panelUrl, clock },
            { ...look, logo: logo && (logo.kind === 'saved' ? logoPath + logo.hash : logo.address) },
            language,
          ),
      },
    ),
  }
  const app = await buildApp(parts)
  const adminApp = await buildAdminApp(parts, app)
  return {
    app,
    adminApp,
    configuration,
    operations: offered,
    metrics,
    midHealth,
    workers,
    warmUp: async () => void (await keys.readCurrent()),
    awaitIdle: async () => {
      await refusedRequests.flush()
      await awaitAllIdle(workers)
    },
    stop: async () => {
      app.draining.begin()
      await app.acceptors.value?.shut()
      await Promise.all([app.acceptors.value?.close(), app.close(), adminApp?.close()])
      await refusedRequests.flush()
      await pulse.stop()
      await Promise.all(workers.map((worker) => worker.stop()))
      await vitals.stop()
      await midHealth.stop()
      await presence.leave()
      await wires.close()
      await domains.close()
      await tracing?.stop()
      await Promise.all([panelReports.end(), panelPool.end(), pool.end()])
    },
  }
}
