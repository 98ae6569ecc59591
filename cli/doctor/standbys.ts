/** Checks that a standby of the database that vanishes or falls behind is noticed. */
import type { Pool } from '#server/store/database/pool.ts'
import { readStandbyState, type StandbyState } from '#server/store/instance/replication.ts'
import { type Finding, ok, warning } from './finding.ts'

const subject = 'standbys'

/** Empty if the database has none. */
export const checkStandbys = async (pool: Pool): Promise<readonly Finding[]> =>
  standbyFindings(await readStandbyState(pool))

export function standbyFindings({ connected, missing, lost, isHidden }: StandbyState): readonly Finding[] {
  if (isHidden)
    return [
      warning(
        subject,
        'Standbys are connected to the database, and its role may not see how far they are behind.',
        'As a superuser: grant pg_read_all_stats to the role of DATABASE_URL.',
      ),
    ]
  if (missing + lost > 0)
    return [
      warning(
        subject,
        `${missing + lost} of ${connected + missing + lost} standbys of the database ${missing + lost === 1 ? 'is' : 'are'} not connected.`,
        'Start it or copy it again. If it was removed, drop its replication slot.',
      ),
    ]
  return connected === 0 ? [] : [ok(subject, `${connected} connected.`)]
}
