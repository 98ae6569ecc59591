/** The metrics of a process that serves: which labels they have, and where their figures are read. */
import { allConnectors } from '../connectors/registry.ts'
import { createMetrics, type Metrics, type MetricsOptions } from '../observe/metrics.ts'
import { endpoints } from '../protocols/checkout/index.ts'
import { pageActions } from '../protocols/hosted-page/index.ts'
import { apmActions } from '../protocols/s2s-apm/index.ts'
import { cardActions } from '../protocols/s2s-card/index.ts'
import { readBacklog } from '../store/callbacks/callback-log.ts'
import { countOpenOutcomes } from '../store/finance/unresolved-list.ts'
import { readBackupSample } from './backup-sample.ts'
import { readMonthsAhead } from './month-worker.ts'
import type { ProcessContext } from './process-context.ts'
import { readCertificateSamples, readWalletAlertSamples } from './wallet-workers.ts'

/** What only exists once the process is put together; it is read with each collection of the metrics. */
type LaterParts = Pick<MetricsOptions, 'condition' | 'gate' | 'midHealth'>

export function createServiceMetrics(base: ProcessContext, later: LaterParts): Metrics {
  const { pool, clock } = base
  return createMetrics({
    actions: [
      ...new Set([...cardActions, ...apmActions].flatMap(({ names }) => names)),
      ...endpoints.map(({ name }) => name),
      ...pageActions,
    ],
    connectors: allConnectors.map(({ id }) => id),
    readCallbackBacklog: async () => (await readBacklog(pool, clock.now())).waiting,
    countUnresolvedTransactions: async () => {
      const { unknown, beingAsked } = await countOpenOutcomes(pool)
      return unknown + beingAsked
    },
    readCertificates: () => readCertificateSamples(base),
    countWalletAlerts: () => readWalletAlertSamples(base),
    readClockAheadSeconds: async () => (base.clockGuard.aheadMs ?? Number.NaN) / 1000,
    countMonthsAhead: () => readMonthsAhead(base),
    readBackups: () => readBackupSample(base),
    databaseConnections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ...later,
  })
}
