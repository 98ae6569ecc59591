/**
 * The panel's own database connections. A search over millions of payments may be slow; with connections of its own and a shorter time limit
 * it cannot take those that payments wait for. None is opened before the panel is used.
 */
import { openPool, type Pool } from '../store/database/pool.ts'
import { type ReadSource, readSource } from '../store/instance/read-source.ts'
import type { ProcessContext } from './process-context.ts'

const statementTimeoutMs = 15_000

export const openPanelPool = ({ config, databaseUrl, refusedWrites, log }: ProcessContext): Pool =>
  openPool(databaseUrl, {
    max: config.panelPool,
    applicationName: 'gatehouse panel',
    log: (line) => log.warn(line),
    durable: config.instanceMode === 'live',
    statementTimeoutMs,
    onRefusedWrite: () => refusedWrites.tell(),
  })

interface PanelReports {
  readonly reports: ReadSource
  end(): Promise<void>
}

/** The panel's reports read from a standby, if there is one. */
export function openReports({ config, log }: ProcessContext, primary: Pool): PanelReports {
  const replica =
    config.databaseReadUrl === null
      ? null
      : openPool(config.databaseReadUrl, {
          max: config.panelPool,
          applicationName: 'gatehouse panel',
          log: (line) => log.warn(line),
          readOnly: true,
          statementTimeoutMs,
        })
  const reports = readSource({
    primary,
    replica,
    reportChange: (state) => {
      if (state.source === 'replica') log.info({}, 'Reports of the panel read from the replica.')
      else log.warn({ reason: state.fault }, 'Reports of the panel read from the primary.')
    },
  })
  return { reports, end: async () => replica?.end() }
}
