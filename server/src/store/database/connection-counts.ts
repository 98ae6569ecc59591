/** How many connections the server allows, and how many of our processes share them. */

import { processLockClass } from './lease.ts'
import { type Queryable, query, sql } from './pool.ts'

export interface ConnectionCounts {
  /** For ordinary roles. */
  readonly allowed: number
  /** In use now, by any program. */
  readonly used: number
  /** Our living processes. */
  readonly processes: number
}

const countConnections = sql<ConnectionCounts>(
  'connection.count',
  `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
     (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
     (select count(distinct objid)::int from pg_locks
      where locktype = 'advisory' and classid = ${processLockClass} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())) as processes`,
)

export async function readConnectionCounts(on: Queryable): Promise<ConnectionCounts> {
  const [row] = await query(on, countConnections, [])
  if (!row) throw new Error('The server did not count its connections.')
  return row
}
