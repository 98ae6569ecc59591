/** Checks that the coming months have parts of their own in the tables of payments. Chapter 80 §2. */
import { missingMonthMs } from '#domain/retention.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { claimsAreFilled } from '#server/store/months/claim-fill.ts'
import { monthStart } from '#server/store/months/month-bounds.ts'
import { monthsAhead, readParts } from '#server/store/months/parts.ts'
import { type Finding, ok, warning } from './finding.ts'

const subject = 'months'
const remedy =
  'Check that a process with the role "all" or "worker" is running; the alert "month-missing" names the reason.'

export async function checkMonths(pool: Pool, now: Date): Promise<Finding> {
  const parts = await readParts(pool)
  const ahead = monthsAhead(parts, now)
  const isSoon = monthStart(now, 1).getTime() - now.getTime() <= missingMonthMs
  if (ahead === 0 && isSoon) return warning(subject, 'The coming month has no part of its own.', remedy)
  if (!(await claimsAreFilled(pool))) return ok(subject, 'The claims of earlier payments are being written.')
  if (ahead === 0) return ok(subject, 'The coming month will get a part of its own.')
  return ok(
    subject,
    `${ahead} ${ahead === 1 ? 'month is' : 'months are'} prepared; payments are in ${parts.length} parts.`,
  )
}
