/** What the metrics show of the backups. */
import type { BackupSample } from '../observe/backup-gauges.ts'
import { backupState } from '../store/instance/backups.ts'
import type { ProcessContext } from './process-context.ts'

export async function backupSample({ pool, clock }: Pick<ProcessContext, 'pool' | 'clock'>): Promise<BackupSample> {
  const { archive, newestAt } = await backupState(pool)
  return { archive, newestAgeSeconds: newestAt === null ? null : (clock.now().getTime() - newestAt.getTime()) / 1000 }
}
