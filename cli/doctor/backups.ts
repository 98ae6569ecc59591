/** Checks that backups are made: a timer that stopped and an archive that cannot be written go unnoticed until one is needed. */
import { hourMs } from '#domain/time.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type BackupState, readBackupState } from '#server/store/instance/backups.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const subject = 'backups'
/** A nightly backup that was missed once. The alert rules GatehouseBackupOld and GatehouseBaseBackupOld have the same limit. */
const oldHours = 36

export async function checkBackups(pool: Pool, instanceMode: 'live' | 'sandbox', now: Date): Promise<Finding> {
  return backupFinding(await readBackupState(pool), instanceMode, now)
}

export function backupFinding(
  { archive, newest }: Pick<BackupState, 'archive' | 'newest'>,
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
  const hoursSince = (at: Date): number => Math.floor((now.getTime() - at.getTime()) / hourMs)
  const newestAt = later(newest.dump, newest.base)
  if (newestAt === null) {
    if (instanceMode === 'sandbox') return ok(subject, 'No backup is known.')
    return warning(
      subject,
      'No backup is known.',
      'Run "gatehouse backup create" or "gatehouse backup base" every night; backups of other programs are not seen here.',
    )
  }
  // A dump does not replace it: without a base backup that is older than the log, no moment can be restored.
  if (archive !== null && newest.base === null && instanceMode === 'live') {
    return warning(
      subject,
      'The log of PostgreSQL is archived, but no base backup is known: no moment can be restored.',
      'Run "gatehouse backup base" every night; backups of other programs are not seen here.',
    )
  }
  if (archive !== null && newest.base !== null && hoursSince(newest.base) > oldHours) {
    return warning(
      subject,
      `The newest known base backup is of ${newest.base.toISOString()}, ${hoursSince(newest.base)} hours ago.`,
      'Look why "gatehouse backup base" does not run, or why it fails: "systemctl status gatehouse-base-backup", or the log of your scheduler.',
    )
  }
  if (hoursSince(newestAt) > oldHours) {
    return warning(
      subject,
      `The newest known backup is of ${newestAt.toISOString()}, ${hoursSince(newestAt)} hours ago.`,
      'Look why the timer does not run, or why it fails: "systemctl status gatehouse-backup", or the log of your scheduler.',
    )
  }
  const kinds = [
    ...(newest.dump === null ? [] : [`dump is of ${newest.dump.toISOString()}`]),
    ...(newest.base === null ? [] : [`base backup is of ${newest.base.toISOString()}`]),
  ]
  const log = archive === null ? 'the log of PostgreSQL is not archived' : 'the log of PostgreSQL is archived'
  return ok(subject, `The newest known ${kinds.join(', the newest ')}; ${log}.`)
}

const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one
