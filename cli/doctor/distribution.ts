/** Checks the servers of a distributed database, and says what its backup consists of. Empty for a database on one server. */
import { isDistributed } from '#server/store/database/buckets.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { findSilentNodes } from '#server/store/instance/database-nodes.ts'
import { type Finding, ok, problem } from './finding.ts'

const subject = 'distribution'

export async function checkDistribution(pool: Pool): Promise<readonly Finding[]> {
  if (!(await isDistributed(pool))) return []
  const silent = await findSilentNodes(pool)
  if (silent.length > 0)
    return [
      problem(
        subject,
        `Servers of the distributed database do not answer: ${silent.join(', ')}.`,
        'Start PostgreSQL there, or promote its standby and tell Citus by citus_update_node.',
      ),
    ]
  return [
    ok(
      subject,
      'Every server answers. Each needs base backups and an archived log of its own: see docs/operations/distribution.md, "Backups".',
    ),
  ]
}
