/** How far the standbys of the database are behind, as far as this role may see it. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface StandbyState {
  /** Standbys with a replication slot that are not connected: the server stores its log for them until its disk is full. */
  readonly missing: number
  /** Of the slowest connected standby; null if there is none, or this role may not see it. */
  readonly secondsBehind: number | null
}

const readStandbys = sql<StandbyState>(
  'replication.standbys',
  `select (select count(*)::int from pg_replication_slots where slot_type = 'physical' and not active and not temporary) as missing,
     (select extract(epoch from max(replay_lag))::float8 from pg_stat_replication) as "secondsBehind"`,
)

export async function standbyState(on: Queryable): Promise<StandbyState> {
  return (await query(on, readStandbys, []))[0] ?? { missing: 0, secondsBehind: null }
}
