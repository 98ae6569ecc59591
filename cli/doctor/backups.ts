/** Checks that backups are made: a timer that stopped and an archive that cannot be written go unnoticed until one is needed. */
import { hourMs } from '#domain/time.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type BackupState, readBackupState } from '#server/store/instance/backups.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'backups'
/** A nightly backup that was missed once. The alert rule GatehouseBackupOld has the same limit. */
const oldHours = 36

export async function checkBackups(pool: Pool, instanceMode: 'live' | 'sandbox', now: Date): Promise<Finding> {
  return backupFinding(await readBackupState(pool), instanceMode, now)
}

export function backupFinding(
  { archive, newestAt }: Pick<BackupState, 'archive' | 'newestAt'>,
  instanceMode: 'live' | 'sandbox',
  now: Date,
): Finding {
  if (archive?.failing === true) {
    return problem(
      subject,
      `PostgreSQL cannot archive its log: the last attempt failed, ${archive.failures} in all.`,
      'Read the log of PostgreSQL: the archive_command says why. Until it succeeds, the segments stay on the disk of the server.',
    )
  }
  if (newestAt === null) {
    if (instanceMode === 'sandbox') return ok(subject, 'No backup is known.')
    return warning(
      subject,
      'No backup is known.',
      'Run "gatehouse backup create" or "gatehouse backup base" every night; backups of other programs are not seen here.',
    )
  }
  const hours = Math.floor((now.getTime() - newestAt.getTime()) / hourMs)
  if (hours > oldHours) {
    return warning(
      subject,
      `The newest known backup is of ${newestAt.toISOString()}, ${hours} hours ago.`,
      'Look why the timer does not run, or why it fails: "systemctl status gatehouse-backup", or the log of your scheduler.',
    )
  }
  const log = archive === null ? 'the log of PostgreSQL is not archived' : 'the log of PostgreSQL is archived'
  return ok(subject, `The newest known backup is of ${newestAt.toISOString()}; ${log}.`)
}
