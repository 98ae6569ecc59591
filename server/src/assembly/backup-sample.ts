/** What the metrics show of the backups. */
import type { BackupSample } from '../observe/backup-gauges.ts'
import { readBackupState } from '../store/instance/backups.ts'
import type { ProcessContext } from './process-context.ts'

export async function backupSample({ pool, clock, config: { instanceMode } }: BackupParts): Promise<BackupSample> {
  const { archive, newestAt, instanceSince } = await readBackupState(pool)
  // Backups that never succeeded would otherwise be noticed by nobody.
  const at = newestAt ?? (instanceMode === 'live' ? instanceSince : null)
  return { archive, newestAgeSeconds: at === null ? null : (clock.now().getTime() - at.getTime()) / 1000 }
}

interface BackupParts extends Pick<ProcessContext, 'pool'> {
  readonly clock: Pick<ProcessContext['clock'], 'now'>
  readonly config: Pick<ProcessContext['config'], 'instanceMode'>
}
