/** Checks that the database server allows enough connections for all processes, also while two releases run during an upgrade. */
import { type ConnectionCounts, readConnectionCounts } from '#server/store/database/connection-counts.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type Finding, ok, warning } from './finding.ts'

const subject = 'connections'
/** Outside the pool: the connection that shows that the process is alive. */
const besidePool = 1
/** For the command line, backups and psql. */
const spareConnections = 10

/** `poolSize` is the size of all pools of a process. */
export const checkConnections = async (pool: Pool, poolSize: number): Promise<Finding> =>
  connectionsFinding(await readConnectionCounts(pool), poolSize)

export function connectionsFinding({ allowed, used, processes }: ConnectionCounts, poolSize: number): Finding {
  const running = Math.max(1, processes)
  const perProcess = poolSize + besidePool
  const need = 2 * running * perProcess + spareConnections
  const sum = `${running} ${running === 1 ? 'process' : 'processes'} × ${perProcess}`
  if (need <= allowed) {
    return ok(
      subject,
      `${sum}, twice that during an upgrade, are within the server’s limit of ${allowed}; ${used} are open.`,
    )
  }
  return warning(
    subject,
    `${sum}, twice that during an upgrade, plus ${spareConnections} in reserve are ${need}, more than the server’s limit of ${allowed}; ${used} are open.`,
    'Raise max_connections of the server, or lower DATABASE_POOL or PANEL_DATABASE_POOL.',
  )
}
