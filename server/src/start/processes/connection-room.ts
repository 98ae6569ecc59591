/** Refuses a start with more processes than the database has connections for. */
import type { Config } from '../../process/config.ts'
import { StartupError } from '../../process/startup-error.ts'

/** Outside the pools: the connection that shows that the process is alive. */
const besidePools = 1
/** For the command line, backups and psql. */
const spareConnections = 10

type Pools = Pick<Config, 'databasePool' | 'panelPool' | 'databaseUrl'>

interface Group {
  /** Processes that serve requests. */
  readonly serving: number
  readonly workers: 0 | 1
}

/** One more than there are: while a process is replaced, both run. */
export function requireConnections(allowed: number, { serving, workers }: Group, pools: Pools): void {
  const { databasePool, panelPool, databaseUrl } = pools
  const each = databasePool + panelPool + besidePools
  const most = serving + workers + 1
  const need = most * each + spareConnections
  if (need <= allowed) return
  const fitting = Math.floor((allowed - spareConnections) / each) - workers - 1
  const fittingPool = Math.floor((allowed - spareConnections) / most) - panelPool - besidePools
  const remedies = [
    ...(fitting >= 1 ? [`start with --processes ${fitting}`] : []),
    ...(fittingPool >= 2 ? [`set DATABASE_POOL to ${fittingPool}`] : []),
    // Of the embedded server it cannot be changed.
    ...(databaseUrl === null ? [] : [`raise max_connections of the server by ${need - allowed}`]),
  ]
  const remedy = remedies.length === 0 ? 'use a PostgreSQL server with more connections' : remedies.join(', or ')
  throw new StartupError(
    `${serving} ${serving === 1 ? 'process' : 'processes'}${workers === 1 ? ', a worker' : ''} and one during a replacement need ${most} × ${each} database connections and ${spareConnections} in reserve: ${need}. The server allows ${allowed}.`,
    `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`,
  )
}
