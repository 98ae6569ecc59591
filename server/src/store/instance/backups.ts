/** What the database knows about its backups: how the archive of its log fares, and when a backup was last made by our own commands. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface ArchiveState {
  /** Attempts that failed since the server's statistics were reset. */
  readonly failures: number
  /** Since a segment was archived; since the reset if none ever was. */
  readonly secondsSince: number
  /** The last attempt failed. The server repeats it, and keeps the segment until it succeeds. */
  readonly failing: boolean
}

export interface BackupState {
  /** Null if the server does not archive its log. */
  readonly archive: ArchiveState | null
  /** When the newest known backup was written; null if none is known. Those of other programs are not. */
  readonly newestAt: Date | null
  /** When the schema was created, and the instance with it. */
  readonly instanceSince: Date
}

/** The action in the audit log. */
export const backupAction = 'backup.create'

interface ArchiveRow extends ArchiveState {
  readonly archives: boolean
}

// Standbys archive, too, with archive_mode always; each server counts its own attempts.
const readArchive = sql<ArchiveRow>(
  'backups.archive',
  `select current_setting('archive_mode') <> 'off' as archives, failed_count::float8 as failures,
     extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()))::float8 as "secondsSince",
     last_failed_time is not null and last_failed_time > coalesce(last_archived_time, '-infinity') as failing
   from pg_stat_archiver`,
)

const readNewest = sql<{ at: Date }, [action: string]>(
  'backups.newest',
  'select at from audit_log where action = $1 order by seq desc limit 1',
)

const readSince = sql<{ at: Date }>(
  'backups.since',
  'select coalesce(min(applied_at), now()) as at from schema_migrations',
)

export async function readBackupState(on: Queryable): Promise<BackupState> {
  const [row] = await query(on, readArchive, [])
  const [newest] = await query(on, readNewest, [backupAction])
  const [since] = await query(on, readSince, [])
  return {
    archive: row?.archives === true ? row : null,
    newestAt: newest?.at ?? null,
    instanceSince: since?.at ?? new Date(0),
  }
}
