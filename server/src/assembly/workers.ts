/** Starts every worker of a process. Processes that only serve requests do not load them. See decisions/processes#late-loading. */
import type { DueWork } from '../due/due-work.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Tracing } from '../observe/tracing/tracing.ts'
import type { Deps } from '../payments/request/deps.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import type { ReadSource } from '../store/instance/read-source.ts'
import type { WalletParts } from '../wallets/accounts/assembly.ts'
import { startAccountWatch } from './account-watch.ts'
import { startAlertWorkers } from './alert-workers.ts'
import { startExportWorkers } from './export-workers.ts'
import { type assembleWalletMail, startMail } from './mail-worker.ts'
import { startPaymentWorkers } from './payment-workers.ts'
import type { ProcessContext } from './process-context.ts'
import { startRetention } from './retention-worker.ts'
import { startWalletWorkers } from './wallet-workers.ts'

interface WorkerParts {
  readonly deps: Deps
  readonly configuration: LoadedConfiguration
  readonly metrics: Metrics
  readonly tracing: Tracing | null
  readonly wallets: WalletParts
  readonly mail: Awaited<ReturnType<typeof assembleWalletMail>>
  readonly reports: ReadSource
  readonly panelUrl: () => string
}

/** The worker of callbacks is the first. */
export function startWorkers(
  base: ProcessContext,
  { deps, configuration, metrics, tracing, wallets, mail, reports, panelUrl }: WorkerParts,
): readonly DueWork[] {
  const { alerts, processNumber: holder } = deps
  return [
    ...startPaymentWorkers(base, deps, configuration, { metrics, tracing }),
    ...startWalletWorkers(base, wallets, configuration, { alerts, mail }),
    ...startMail(base, holder),
    ...startAlertWorkers(base, { holder, alerts, configuration, panelUrl }),
    ...startExportWorkers(base, { holder, configuration, panelUrl, reports }),
    startRetention(base),
    startAccountWatch(base),
  ]
}
