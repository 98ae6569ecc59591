/** Finds callbacks that are overdue, or that merchants do not accept. */
import { readBacklog } from '#server/store/callbacks/callback-log.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { type Finding, ok, warning } from './finding.ts'

/** A running worker sends a due callback within seconds. */
const lateMs = 120_000

export async function checkCallbacks(pool: Pool, now: Date): Promise<readonly Finding[]> {
  const { waiting, late, oldestLateAt, failed, blockedUrls } = await readBacklog(pool, now)
  const overdue = oldestLateAt !== null && now.getTime() - oldestLateAt.getTime() > lateMs
  return [
    overdue
      ? warning('callbacks', `${late} are overdue.`, 'Check that a process with the role "all" or "worker" is running.')
      : ok('callbacks', `${waiting} waiting, none overdue.`),
    ...(failed > 0
      ? [
          warning(
            'callbacks',
            `${failed} failed permanently.`,
            'See "gatehouse callbacks list MERCHANT --failed", then use "gatehouse callbacks resend".',
          ),
        ]
      : []),
    ...(blockedUrls > 0
      ? [warning('callbacks', `${blockedUrls} addresses are blocked.`, 'See "gatehouse callbacks blocked".')]
      : []),
  ]
}
