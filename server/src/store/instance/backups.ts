/** What the database knows about its backups: how the archive of its log fares, and when our own commands last made one of each kind. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface ArchiveState {
  /** Attempts that failed since the server's statistics were reset. */
  readonly failures: number
  /** Since a segment was archived; since the reset if none ever was. */
  readonly secondsSince: number
  /** The last attempt failed. The server repeats it, and keeps the segment until it succeeds. */
  readonly failing: boolean
}

/** When the newest known backup of each kind was written; null if none is known. Those of other programs are not. */
export interface NewestBackups {
  readonly dump: Date | null
  readonly base: Date | null
}

export interface BackupState {
  /** Null if the server does not archive its log. */
  readonly archive: ArchiveState | null
  readonly newest: NewestBackups
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

// The subject of an entry begins with the kind: "base gatehouse-20261116T023000Z.base.age".
const readNewest = sql<{ kind: string; at: Date }, [action: string]>(
  'backups.newest',
  `select split_part(subject, ' ', 1) as kind, max(at) as at from audit_log where action = $1 group by kind`,
)

const readSince = sql<{ at: Date }>(
  'backups.since',
  'select coalesce(min(applied_at), now()) as at from schema_migrations',
)

export async function readBackupState(on: Queryable): Promise<BackupState> {
  const [row] = await query(on, readArchive, [])
  const newest = new Map((await query(on, readNewest, [backupAction])).map(({ kind, at }) => [kind, at]))
  const [since] = await query(on, readSince, [])
  return {
    archive: row?.archives === true ? row : null,
    newest: { dump: newest.get('dump') ?? null, base: newest.get('base') ?? null },
    instanceSince: since?.at ?? new Date(0),
  }
}
