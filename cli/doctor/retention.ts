/** Checks that expired data is really removed: a retention job that stopped would otherwise go unnoticed. */
import { dayMs } from '#domain/time.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { listRetentionStates } from '#server/store/retention/retention-runs.ts'
import { type Finding, ok, warning } from './finding.ts'

const subject = 'retention'
const lateMs = dayMs

export async function checkRetention(pool: Pool, now: Date): Promise<Finding> {
  const states = await listRetentionStates(pool)
  const late = states.filter(({ nextAt }) => now.getTime() - nextAt.getTime() > lateMs)
  if (late.length > 0) {
    const kinds = late.map(({ kind }) => kind).join(', ')
    return warning(
      subject,
      `Overdue by more than a day: ${kinds}.`,
      'Check that a process with the role "all" or "worker" is running.',
    )
  }
  const ended = states.flatMap(({ endedAt }) => endedAt ?? [])
  if (ended.length === 0) return ok(subject, 'The first run has not ended yet.')
  const last = new Date(Math.max(...ended.map((at) => at.getTime())))
  return ok(subject, `Nothing is overdue; the last run ended at ${last.toISOString()}.`)
}
