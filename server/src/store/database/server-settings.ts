/** The PostgreSQL settings that decide whether a commit survives a crash, and how the server sees a connection. */
import { type Queryable, query, sql } from './pool.ts'

export interface ServerSettings {
  readonly fsync: string
  readonly full_page_writes: string
  /** The server's or the database's default for a new session. */
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
  /** The other machine from which this connection arrives unencrypted; empty if it is encrypted or comes from the server's own machine. */
  readonly plain_client: string
}

const readSettings = sql<{ name: keyof ServerSettings; value: string }, readonly []>(
  'server.settings',
  `select name, coalesce(reset_val, setting) as value from pg_settings
   where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')
   union all
   select 'plain_client', host(inet_client_addr()) from pg_stat_ssl
   where pid = pg_backend_pid() and not ssl and inet_client_addr() <> inet_server_addr()
     and not inet_client_addr() <<= any (array['127.0.0.0/8', '::1']::inet[])`,
)

export async function readServerSettings(on: Queryable): Promise<ServerSettings> {
  const found = new Map((await query(on, readSettings, [])).map(({ name, value }) => [name, value]))
  const of = (name: keyof ServerSettings): string => found.get(name) ?? ''
  return {
    fsync: of('fsync'),
    full_page_writes: of('full_page_writes'),
    synchronous_commit: of('synchronous_commit'),
    synchronous_standby_names: of('synchronous_standby_names'),
    plain_client: of('plain_client'),
  }
}
