/**
 * The panel's own database connections. A search over millions of payments may be slow; with connections of its own and a shorter time limit
 * it cannot take those that payments wait for. None is opened before the panel is used.
 */
import { openPool, type Pool } from '../store/database/pool.ts'
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
