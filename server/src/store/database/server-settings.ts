/** The PostgreSQL settings that decide whether a commit survives a crash. */
import { type Queryable, query, sql } from './pool.ts'

export interface ServerSettings {
  readonly fsync: string
  readonly full_page_writes: string
  /** The server's or the database's default for a new session. */
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
}

const readSettings = sql<{ name: keyof ServerSettings; value: string }, readonly []>(
  'server.settings',
  `select name, coalesce(reset_val, setting) as value from pg_settings
   where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')`,
)

export async function readServerSettings(on: Queryable): Promise<ServerSettings> {
  const found = new Map((await query(on, readSettings, [])).map(({ name, value }) => [name, value]))
  const of = (name: keyof ServerSettings): string => found.get(name) ?? ''
  return {
    fsync: of('fsync'),
    full_page_writes: of('full_page_writes'),
    synchronous_commit: of('synchronous_commit'),
    synchronous_standby_names: of('synchronous_standby_names'),
  }
}
