/** How far the standbys of the database are behind, as far as this role may see it. */
import { type Queryable, query, sql } from '../database/pool.ts'

export interface StandbyState {
  /** Standbys that are connected now; 0 if this role may not see them. */
  readonly connected: number
  /** Standbys with a replication slot that are not connected: the server stores its log for them until its disk is full. */
  readonly missing: number
  /** Standbys for which the server has no log any more, because they were away for longer than it keeps it: they must be copied again. */
  readonly lost: number
  /** Of the slowest connected standby; null if there is none, or this role may not see it. */
  readonly secondsBehind: number | null
  /** Standbys or backups are connected, and this role may not see their state. */
  readonly isHidden: boolean
}

// A base backup receives the log as well.
const readStandbys = sql<StandbyState>(
  'replication.standbys',
  `select (select count(*)::int from pg_stat_replication
       where state in ('streaming', 'catchup') and application_name not in ('pg_basebackup', 'pg_receivewal')) as connected,
     (select count(*)::int from pg_replication_slots
       where slot_type = 'physical' and not active and not temporary and wal_status is distinct from 'lost') as missing,
     (select count(*)::int from pg_replication_slots where slot_type = 'physical' and wal_status = 'lost') as lost,
     (select extract(epoch from max(replay_lag))::float8 from pg_stat_replication) as "secondsBehind",
     exists (select from pg_stat_replication where state is null) as "isHidden"`,
)

const nothing: StandbyState = { connected: 0, missing: 0, lost: 0, secondsBehind: null, isHidden: false }

export async function readStandbyState(on: Queryable): Promise<StandbyState> {
  return (await query(on, readStandbys, []))[0] ?? nothing
}
