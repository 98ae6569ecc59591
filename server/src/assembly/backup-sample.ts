/** What the metrics show of the backups. */
import type { BackupSample } from '../observe/backup-gauges.ts'
import { type BackupState, readBackupState } from '../store/instance/backups.ts'
import type { ProcessContext } from './process-context.ts'

export async function readBackupSample({ pool, clock, config: { instanceMode } }: BackupParts): Promise<BackupSample> {
  const state = await readBackupState(pool)
  return { archive: state.archive, newestAgeSeconds: backupAges(state, instanceMode, clock.now()) }
}

export function backupAges(
  state: BackupState,
  instanceMode: 'live' | 'sandbox',
  now: Date,
): BackupSample['newestAgeSeconds'] {
  const ageOf = (at: Date | null): number | null => (at === null ? null : (now.getTime() - at.getTime()) / 1000)
  const { dump, base } = instanceMode === 'live' ? withMissing(state) : state.newest
  return { dump: ageOf(dump), base: ageOf(base) }
}

/**
 * A backup that a live instance must have and never had counts as made with the instance: without an age no alert would ever fire. An
 * archived log needs a base backup, whatever dumps there are; otherwise a backup of any kind will do.
 */
function withMissing({ archive, newest, instanceSince }: BackupState): BackupState['newest'] {
  if (archive !== null) return { ...newest, base: newest.base ?? instanceSince }
  return newest.base === null ? { ...newest, dump: newest.dump ?? instanceSince } : newest
}

interface BackupParts extends Pick<ProcessContext, 'pool'> {
  readonly clock: Pick<ProcessContext['clock'], 'now'>
  readonly config: Pick<ProcessContext['config'], 'instanceMode'>
}
