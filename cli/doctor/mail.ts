/** Finds mail that is not sent, or that no server accepts. */
import type { Config } from '#server/process/config.ts'
import type { Pool } from '#server/store/database/pool.ts'
import { readMailBacklog } from '#server/store/instance/mails.ts'
import { type Finding, ok, warning } from './finding.ts'

/** By then, mail to a server that is down has failed several times. */
const lateMs = 3_600_000

export async function checkMail({ mail }: Config, pool: Pool, now: Date): Promise<Finding> {
  const { waiting, oldestAt } = await readMailBacklog(pool)
  const since = oldestAt === null ? '' : `, the oldest since ${oldestAt.toISOString()}`
  if (mail === null) {
    if (waiting === 0) return ok('mail', 'No mail is sent: SMTP_URL is not set.')
    const remedy = 'Set SMTP_URL to send them. They stay stored until then.'
    return warning('mail', `${waiting} not sent because SMTP_URL is not set${since}.`, remedy)
  }
  if (oldestAt !== null && now.getTime() - oldestAt.getTime() > lateMs) {
    const remedy = 'Check the mail server of SMTP_URL, and that a process with the role "all" or "worker" is running.'
    return warning('mail', `${waiting} waiting to be sent${since}.`, remedy)
  }
  return ok('mail', `${waiting} waiting to be sent.`)
}
